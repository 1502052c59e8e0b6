package io.remuda.agent.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Rejects unknown settings, so that a misspelt key is not ignored silently. */
public final class KnownKeys {

  private KnownKeys() {}

  /**
   * Returns {@code config} if each key below {@code path} has a default in a reference.conf.
   *
   * @throws IllegalArgumentException naming the unknown keys
   */
  public static Config checked(Config config, String path) {
    Set<String> unknown = keys(config.getConfig(path));
    unknown.removeAll(keys(ConfigFactory.defaultReference().getConfig(path)));
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("unknown settings below " + path + ": " + unknown);
    }
    return config;
  }

  private static Set<String> keys(Config config) {
    Set<String> keys = new TreeSet<>();
    config.entrySet().stream().map(Map.Entry::getKey).forEach(keys::add);
    return keys;
  }
}
