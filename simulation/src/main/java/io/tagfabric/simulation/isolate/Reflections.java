package io.tagfabric.simulation.isolate;

import io.tagfabric.simulation.isolate.Replacements.Replacement;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import org.objectweb.asm.Type;

/**
 * Calls that a program makes by reflection or by method handles: those that {@link Calls} takes the
 * place of go there, those that nothing can take the place of are announced. Public for {@link
 * Calls} alone.
 */
public final class Reflections {
  private static final StackWalker STACK =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private Reflections() {}

  /**
   * As {@link Method#invoke}.
   *
   * @param calls the rank's {@link Calls}
   */
  public static Object invoke(
      Class<?> calls,
      ProgramEnvironment environment,
      Method method,
      Object receiver,
      Object[] arguments)
      throws IllegalAccessException, InvocationTargetException {
    Optional<Method> instead = instead(calls, method);
    if (instead.isPresent()) {
      return instead.get().invoke(null, withReceiver(method, receiver, arguments));
    }
    announce(environment, method.getDeclaringClass(), method.getName());
    openToCaller(method, method);
    return method.invoke(receiver, arguments);
  }

  /** As {@link Constructor#newInstance}. */
  @SuppressWarnings("JavaUtilDate") // it is the program that wants one
  public static Object newInstance(
      Class<?> calls,
      ProgramEnvironment environment,
      Constructor<?> constructor,
      Object[] arguments)
      throws IllegalAccessException, InvocationTargetException, InstantiationException {
    Class<?> made = constructor.getDeclaringClass();
    if (constructor.getParameterCount() == 0) {
      if (made == Random.class) {
        return new Random(environment.nextLong());
      }
      if (made == SplittableRandom.class) {
        return new SplittableRandom(environment.nextLong());
      }
      if (made == java.security.SecureRandom.class) {
        return new RankSecureRandom(environment.nextLong());
      }
      if (made == Date.class) {
        return new Date(environment.clock().millis());
      }
    }
    announce(environment, made, "<init>");
    openToCaller(constructor, constructor);
    return constructor.newInstance(arguments);
  }

  /** As {@link MethodHandles.Lookup#findStatic}. */
  public static MethodHandle findStatic(
      Class<?> calls,
      ProgramEnvironment environment,
      MethodHandles.Lookup lookup,
      Class<?> owner,
      String name,
      MethodType type)
      throws NoSuchMethodException, IllegalAccessException {
    Optional<Method> instead = instead(calls, true, owner, name, type.toMethodDescriptorString());
    if (instead.isPresent()) {
      return MethodHandles.publicLookup().unreflect(instead.get());
    }
    announce(environment, owner, name);
    return lookup.findStatic(owner, name, type);
  }

  /** As {@link MethodHandles.Lookup#findVirtual}. */
  public static MethodHandle findVirtual(
      Class<?> calls,
      ProgramEnvironment environment,
      MethodHandles.Lookup lookup,
      Class<?> owner,
      String name,
      MethodType type)
      throws NoSuchMethodException, IllegalAccessException {
    Optional<Method> instead = instead(calls, false, owner, name, type.toMethodDescriptorString());
    if (instead.isPresent()) {
      return MethodHandles.publicLookup()
          .unreflect(instead.get())
          .asType(type.insertParameterTypes(0, owner));
    }
    announce(environment, owner, name);
    return lookup.findVirtual(owner, name, type);
  }

  /** As {@link MethodHandles.Lookup#findConstructor}. */
  public static MethodHandle findConstructor(
      Class<?> calls,
      ProgramEnvironment environment,
      MethodHandles.Lookup lookup,
      Class<?> owner,
      MethodType type)
      throws NoSuchMethodException, IllegalAccessException {
    announce(environment, owner, "<init>");
    return lookup.findConstructor(owner, type);
  }

  /** As {@link MethodHandles.Lookup#unreflect}. */
  public static MethodHandle unreflect(
      Class<?> calls, ProgramEnvironment environment, MethodHandles.Lookup lookup, Method method)
      throws IllegalAccessException {
    Optional<Method> instead = instead(calls, method);
    if (instead.isPresent()) {
      return MethodHandles.publicLookup().unreflect(instead.get());
    }
    announce(environment, method.getDeclaringClass(), method.getName());
    return lookup.unreflect(method);
  }

  private static Optional<Method> instead(Class<?> calls, Method method) {
    return instead(
        calls,
        Modifier.isStatic(method.getModifiers()),
        method.getDeclaringClass(),
        method.getName(),
        Type.getMethodDescriptor(method));
  }

  private static Optional<Method> instead(
      Class<?> calls, boolean isStatic, Class<?> owner, String name, String descriptor) {
    // a static method of a class here has the name of one of the JDK by chance
    if (owner == calls) {
      return Optional.empty();
    }
    Hierarchy hierarchy = ((ProgramLoader) calls.getClassLoader()).hierarchy();
    return Replacements.find(hierarchy, isStatic, Type.getInternalName(owner), name, descriptor)
        .map(found -> methodOf(calls, found));
  }

  private static Method methodOf(Class<?> calls, Replacement found) {
    return Arrays.stream(calls.getDeclaredMethods())
        .filter(method -> method.getName().equals(found.name()))
        .filter(method -> Type.getMethodDescriptor(method).equals(found.descriptor()))
        .findFirst()
        .orElseThrow();
  }

  private static Object[] withReceiver(Method method, Object receiver, Object[] arguments) {
    List<Object> all = new ArrayList<>();
    if (!Modifier.isStatic(method.getModifiers())) {
      all.add(receiver);
    }
    if (arguments != null) {
      all.addAll(Arrays.asList(arguments));
    }
    return all.toArray();
  }

  private static void announce(ProgramEnvironment environment, Class<?> owner, String name) {
    Hierarchy hierarchy = new Hierarchy(Reflections.class.getClassLoader(), notUsed -> null);
    ForeignCalls.kind(hierarchy, Type.getInternalName(owner), name)
        .ifPresent(
            kind ->
                environment.onForeignCall(
                    new ForeignCall(kind, owner.getName() + "." + name, caller())));
  }

  /** The frame of the program, as {@code class.method}. */
  private static String caller() {
    return STACK.walk(
        frames ->
            frames
                .filter(frame -> isProgram(frame.getDeclaringClass()))
                .findFirst()
                .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                .orElse("the program"));
  }

  private static boolean isProgram(Class<?> type) {
    return type.getClassLoader() instanceof ProgramLoader
        && !type.getName().equals(Calls.class.getName());
  }

  /** Reflection looks at who calls, which is this class now: what the program may, this may. */
  private static void openToCaller(AccessibleObject object, Member member) {
    Class<?> owner = member.getDeclaringClass();
    boolean isPublic =
        Modifier.isPublic(member.getModifiers()) && Modifier.isPublic(owner.getModifiers());
    if (isPublic || !isProgram(owner)) {
      return;
    }
    Optional<? extends Class<?>> caller =
        STACK.walk(
            frames ->
                frames
                    .map(StackWalker.StackFrame::getDeclaringClass)
                    .filter(Reflections::isProgram)
                    .findFirst());
    boolean allowed =
        caller
            .filter(
                from ->
                    from.isNestmateOf(owner)
                        || (!Modifier.isPrivate(member.getModifiers())
                            && from.getPackage() == owner.getPackage()))
            .isPresent();
    if (allowed) {
      object.trySetAccessible();
    }
  }
}
