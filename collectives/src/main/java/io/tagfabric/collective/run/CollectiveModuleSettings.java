package io.tagfabric.collective.run;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.settings.ModuleSettings;
import io.tagfabric.cluster.settings.Setting;
import java.util.List;

/** Tells the job of the settings of collectives. */
@InternalApi
public final class CollectiveModuleSettings implements ModuleSettings {
  @Override
  public List<Setting<?>> settings() {
    return CollectiveSettings.ALL;
  }
}
