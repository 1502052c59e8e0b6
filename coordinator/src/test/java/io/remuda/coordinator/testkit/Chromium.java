package io.remuda.coordinator.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** A browser without a screen: Debian's Chromium, with a profile of its own. One thread. */
public final class Chromium implements AutoCloseable {

  private static final Path PROGRAM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String AXE = "axe.min.js";

  private final ChromeDriver driver;

  private Chromium(ChromeDriver driver) {
    this.driver = driver;
  }

  /**
   * Starts one.
   *
   * @param folder for its profile and log
   */
  public static Chromium start(Path folder) {
    if (!Files.isExecutable(PROGRAM) || !Files.isExecutable(DRIVER)) {
      throw new AssertionError("chromium is missing: apt-get install chromium chromium-driver");
    }
    ChromeOptions options = new ChromeOptions();
    options.setBinary(PROGRAM.toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--force-device-scale-factor=1",
        "--lang=en-GB",
        "--user-data-dir=" + folder.resolve("profile"));
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(DRIVER.toFile())
            .usingAnyFreePort()
            .withLogFile(new File(folder.toFile(), "chromedriver.log"))
            .withEnvironment(
                Map.of("HOME", folder.toString(), "TZ", "Europe/Berlin", "LC_ALL", "C.UTF-8"))
            .build();
    return new Chromium(new ChromeDriver(service, options));
  }

  public void open(String address) {
    driver.get(address);
  }

  public String address() {
    return driver.getCurrentUrl();
  }

  /** Sets the size of the page. */
  public void size(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    driver.manage().window().setSize(new Dimension(Math.max(500, width), height));
  }

  public WebElement element(String css) {
    return driver.findElement(By.cssSelector(css));
  }

  public List<WebElement> elements(String css) {
    return driver.findElements(By.cssSelector(css));
  }

  /** Clicks what is there now or soon. */
  public void click(String css) {
    await("a click on " + css, () -> tryClick(css));
  }

  private boolean tryClick(String css) {
    element(css).click();
    return true;
  }

  /** Presses keys where the focus is. */
  public void press(CharSequence... keys) {
    driver.switchTo().activeElement().sendKeys(keys);
  }

  /** Empties a field and types a text into it. */
  public void type(String css, String text) {
    WebElement field = element(css);
    field.sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE);
    field.sendKeys(text);
  }

  /** Returns what a reader sees. */
  public String text() {
    return element("body").getText();
  }

  public Object script(String code, Object... arguments) {
    return driver.executeScript(code, arguments);
  }

  /** Waits until a reader sees a text. */
  public void awaitText(String text) {
    await("text " + text, () -> text().contains(text));
  }

  public void awaitNoText(String text) {
    await("end of text " + text, () -> !text().contains(text));
  }

  /** Waits for a condition; what is drawn anew meanwhile is looked for again. */
  public void await(String what, java.util.function.BooleanSupplier condition) {
    try {
      SparingLooks.within(SOON)
          .ignoreExceptionsInstanceOf(WebDriverException.class)
          .until(condition::getAsBoolean);
    } catch (ConditionTimeoutException late) {
      throw new AssertionError("no " + what + "; the page has: " + text() + said(), late);
    }
  }

  /** Has the page believe that the reader wants light or dark. */
  public void prefer(String scheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Returns what the page's code has complained of, and what its policy has refused. */
  public List<String> said() {
    List<String> said = new ArrayList<>();
    driver.manage().logs().get("browser").forEach(entry -> said.add(entry.getMessage()));
    return said;
  }

  /** Returns the faults that axe-core calls serious or critical, a line each. */
  public List<String> seriousFaults() throws IOException {
    try (InputStream in = getClass().getClassLoader().getResourceAsStream(AXE)) {
      driver.executeScript(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
    Object found =
        driver.executeAsyncScript(
            "const done = arguments[0];"
                + "axe.run({resultTypes: ['violations']}).then(r => done(JSON.stringify("
                + "r.violations)), e => done(JSON.stringify([{impact: 'critical', id: String(e),"
                + " nodes: []}])));");
    List<String> faults = new ArrayList<>();
    for (JsonNode fault : new ObjectMapper().readTree((String) found)) {
      if (List.of("serious", "critical").contains(fault.path("impact").asText())) {
        for (JsonNode node : fault.path("nodes")) {
          faults.add(
              fault.path("id").asText()
                  + ": "
                  + node.path("failureSummary").asText()
                  + node.path("html").asText());
        }
        if (fault.path("nodes").isEmpty()) {
          faults.add(fault.path("id").asText());
        }
      }
    }
    return faults;
  }

  /** Writes a picture of what is seen, as PNG. */
  public void picture(Path file) throws IOException {
    Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
  }

  /** Returns whether an element is there for which this holds. */
  public boolean has(String css, Predicate<WebElement> holds) {
    return elements(css).stream().anyMatch(holds);
  }

  @Override
  public void close() {
    driver.quit();
  }
}
