/**
 * Every key of the reference configuration does something: {@link
 * io.tagfabric.settings.SettingsTableTest} has a row for each.
 */
package io.tagfabric.settings;
