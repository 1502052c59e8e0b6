package io.remuda.coordinator.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;

/** All classes of the product, of every module, without those of tests. */
public final class ProductionClasses {
  public static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(ProductionClasses::isNoTest)
          .importPackages("io.remuda");

  private ProductionClasses() {}

  private static boolean isNoTest(Location location) {
    return !location.contains("/test-classes/") && !location.contains("-tests.jar");
  }
}
