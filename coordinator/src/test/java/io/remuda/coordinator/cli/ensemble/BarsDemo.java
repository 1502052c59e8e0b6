package io.remuda.coordinator.cli.ensemble;

import io.remuda.agent.commandline.OwnProcess;
import io.remuda.coordinator.console.BarSource;
import io.remuda.coordinator.console.Console;
import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.telemetry.render.LabelledBar;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A console as a run opens it, which shows what it is told to: each line of the file, or pipe, that
 * is its argument is one instruction.
 */
public final class BarsDemo {

  private static final String CLEAR = "\u001b[H\u001b[2J\u001b[3J";

  private final PrintStream ownErr = System.err;
  private Console console = open();
  private final Map<String, LabelledBar> work = new LinkedHashMap<>();

  private BarsDemo() {}

  private static Console open() {
    return RunConsoleFactory.open(true, false, new OwnProcess());
  }

  public static void main(String[] arguments) throws IOException {
    BarsDemo demo = new BarsDemo();
    try (BufferedReader instructions = Files.newBufferedReader(Path.of(arguments[0]))) {
      for (String next = instructions.readLine(); next != null; next = instructions.readLine()) {
        demo.follow(next.split(";", -1));
      }
    }
  }

  private void follow(String[] words) {
    switch (words[0]) {
      case "line" -> console.line(words[1]);
      case "note" -> console.note(words[1]);
      case "log" -> System.err.println(words[1]);
      case "sample" -> console.sampled(sample(words));
      case "work" -> progress(words);
      case "end" -> console.close();
      case "clear" -> clear(words[1]);
      case "open" -> reopen();
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  /** Closes the console and leaves a terminal with only this word. */
  private void clear(String word) {
    console.close();
    work.clear();
    System.setErr(ownErr);
    print(CLEAR + word);
  }

  /** Opens another console in an empty terminal. */
  private void reopen() {
    print(CLEAR);
    console = open();
  }

  private static void print(String text) {
    System.out.print(text);
    System.out.flush();
  }

  /** {@code sample;node;load;utilisation;utilisation}, one for each GPU. */
  private static NodeSample sample(String[] words) {
    HostSample host = new HostSample(Double.parseDouble(words[2]), 0, 0, null, 4, 1, 1, null);
    List<DeviceSample> devices = new ArrayList<>();
    for (int index = 0; index + 3 < words.length; index++) {
      devices.add(device(index, words[index + 3]));
    }
    return new NodeSample(words[1], 1, 0, host, devices);
  }

  private static DeviceSample device(int index, String utilisation) {
    DeviceSampleBuilder device = DeviceSampleBuilder.of(new DeviceId("gpu-" + index), index);
    return utilisation.equals("lost")
        ? device.health(DeviceHealth.LOST).build()
        : device
            .utilGpu(Integer.valueOf(utilisation))
            .memUsed((index + 1L) << 30)
            .memTotal(80L << 30)
            .build();
  }

  /** {@code work;label;done;total;words}. */
  private void progress(String[] words) {
    double done = Double.parseDouble(words[2]);
    double total = Double.parseDouble(words[3]);
    String amount = (int) done + "/" + (int) total;
    work.put(
        words[1],
        new LabelledBar(LabelledBar.Kind.PROGRESS, words[1], done, total, amount, words[4]));
    List<LabelledBar> bars = List.copyOf(work.values());
    BarSource picture = lines -> bars.subList(0, Math.min(lines, bars.size()));
    console.progress(picture);
  }
}
