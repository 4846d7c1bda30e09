package io.tagfabric.cluster.settings;

import io.tagfabric.annotation.InternalApi;
import java.util.List;

/**
 * The settings of a module that those below it do not know. Found by {@link
 * java.util.ServiceLoader}; when ranks meet, those that must agree are compared with the others.
 */
@InternalApi
public interface ModuleSettings {
  /** All of them. */
  List<Setting<?>> settings();
}
