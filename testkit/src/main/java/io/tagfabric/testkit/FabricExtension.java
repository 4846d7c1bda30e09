package io.tagfabric.testkit;

import akka.actor.typed.ActorSystem;
import io.tagfabric.collective.Team;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.simulation.SimulatedFabric;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * What {@link FabricTest} stands for. Where its attributes do not say enough, a field with {@link
 * org.junit.jupiter.api.extension.RegisterExtension} takes any {@link TestFabric.Builder}.
 */
public final class FabricExtension
    implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
  /** Each test, also of a nested class, has a store of its own under this. */
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(FabricExtension.class);

  private static final Map<Class<?>, Function<TestFabric, Object>> SINGLE =
      Map.of(
          TestFabric.class, fabric -> fabric,
          TestNetwork.class, TestFabric::network,
          Fabric.class, TestFabric::fabric,
          Domain.class, TestFabric::domain,
          ActorSystem.class, TestFabric::system);

  private final TestFabric.Builder builder;

  /** As the annotation says; called by JUnit. */
  public FabricExtension() {
    this(null);
  }

  /** As the builder says for every test. */
  public FabricExtension(TestFabric.Builder builder) {
    this.builder = builder;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    TestFabric.Builder settings = builder == null ? read(annotation(context)) : builder;
    context.getStore(NAMESPACE).put(this, new Opened(settings));
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Opened opened = context.getStore(NAMESPACE).remove(this, Opened.class);
    if (opened != null) {
      opened.end();
    }
  }

  /** What one test has asked for. */
  private static final class Opened {
    private final TestFabric.Builder builder;
    private TestFabric fabric;
    private SimulatedRun run;

    Opened(TestFabric.Builder builder) {
      this.builder = builder;
    }

    TestFabric fabric() {
      if (fabric == null) {
        fabric = builder.build();
      }
      return fabric;
    }

    SimulatedFabric simulated() {
      if (run == null) {
        run = builder.simulate();
      }
      return run.fabric();
    }

    void end() {
      try {
        if (run != null) {
          run.close();
        }
      } finally {
        if (fabric != null) {
          fabric.close();
        }
      }
    }
  }

  private static FabricTest annotation(ExtensionContext context) {
    Optional<FabricTest> found =
        AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), FabricTest.class);
    for (Class<?> type = context.getRequiredTestClass();
        found.isEmpty() && type != null;
        type = type.getEnclosingClass()) {
      found = AnnotationSupport.findAnnotation(type, FabricTest.class);
    }
    return found.orElse(Defaults.class.getAnnotation(FabricTest.class));
  }

  /** For those who register the extension without the annotation. */
  @FabricTest
  private static final class Defaults {}

  private static TestFabric.Builder read(FabricTest test) {
    return TestFabric.builder()
        .endpoints(test.endpoints())
        .settings(String.join("\n", test.settings()))
        .progress(test.progress())
        .time(test.time())
        .seed(test.seed())
        .leaks(test.leaks());
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == SimulatedFabric.class
        || SINGLE.containsKey(type)
        || Kind.of(type) != null
        || Kind.ofList(parameter) != null;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Opened opened = context.getStore(NAMESPACE).get(this, Opened.class);
    if (opened == null) {
      throw new ParameterResolutionException(
          "parameter ["
              + parameter.getParameter()
              + "] belongs to one test, ask for it in a test method, or one with BeforeEach or"
              + " AfterEach");
    }
    Class<?> type = parameter.getParameter().getType();
    if (type == SimulatedFabric.class) {
      return opened.simulated();
    }
    TestFabric fabric = opened.fabric();
    if (SINGLE.containsKey(type)) {
      return SINGLE.get(type).apply(fabric);
    }
    Kind kind = Kind.of(type);
    if (kind == null) {
      Kind each = Kind.ofList(parameter);
      return fabric.names().stream().map(name -> each.get(fabric, name)).toList();
    }
    return kind.get(
        fabric,
        parameter
            .findAnnotation(At.class)
            .map(At::value)
            .orElseGet(() -> nameOf(parameter, fabric.names())));
  }

  /** The n-th parameter of its type is that of the n-th endpoint. */
  private static String nameOf(ParameterContext wanted, List<String> names) {
    Class<?> type = wanted.getParameter().getType();
    int number = 0;
    for (Parameter each : wanted.getDeclaringExecutable().getParameters()) {
      if (each.equals(wanted.getParameter())) {
        break;
      }
      number += each.getType() == type && !each.isAnnotationPresent(At.class) ? 1 : 0;
    }
    if (number >= names.size()) {
      throw new ParameterResolutionException(
          "parameter number "
              + (number + 1)
              + " of type "
              + type.getSimpleName()
              + ", but the endpoints are "
              + names
              + ", name more of them in @FabricTest(endpoints = ..)");
    }
    return names.get(number);
  }

  /** What there is one of for each endpoint. */
  private enum Kind {
    ENDPOINT(Endpoint.class) {
      @Override
      Object get(TestFabric fabric, String name) {
        return fabric.endpoint(name);
      }
    },
    PROBE(TagProbe.class) {
      @Override
      Object get(TestFabric fabric, String name) {
        return fabric.probe(name);
      }
    },
    TEAM(Team.class) {
      @Override
      Object get(TestFabric fabric, String name) {
        return fabric.world(name);
      }
    };

    private final Class<?> type;

    Kind(Class<?> type) {
      this.type = type;
    }

    abstract Object get(TestFabric fabric, String name);

    static Kind of(Type type) {
      for (Kind kind : values()) {
        if (kind.type == type) {
          return kind;
        }
      }
      return null;
    }

    static Kind ofList(ParameterContext parameter) {
      Type type = parameter.getParameter().getParameterizedType();
      return type instanceof ParameterizedType list && list.getRawType() == List.class
          ? of(list.getActualTypeArguments()[0])
          : null;
    }
  }
}
