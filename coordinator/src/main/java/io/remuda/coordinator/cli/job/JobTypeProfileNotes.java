package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.profile.Profile;
import io.remuda.telemetry.render.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Texts for what users should know about the profile of a type. */
final class JobTypeProfileNotes {

  private static final double ALL = 100;

  private JobTypeProfileNotes() {}

  /** Returns one line for each note on a profile of the HTTP interface. */
  static List<String> of(JsonNode profile) {
    List<String> notes = new ArrayList<>();
    int unused = profile.path("unusedRuns").asInt();
    if (unused > 0) {
      notes.add(unused(profile, unused));
    }
    if (profile.path("nearlyAllPercent").isNumber()) {
      notes.add(nearlyAll(profile));
    }
    profile.path("beside").forEach(pair -> notes.add(beside(profile, pair)));
    return notes;
  }

  /** Returns what sharing a GPU cost, and what it gave if that is known of both. */
  private static String beside(JsonNode profile, JsonNode pair) {
    int speed = pair.path("speedPercent").asInt();
    String said = type(profile) + " has " + speed + " % of its speed beside " + type(pair);
    JsonNode other = pair.path("otherPercent");
    return other.isNumber()
        ? said
            + ", which has "
            + other.asInt()
            + " %: one GPU does the work of "
            + String.format(Locale.ROOT, "%.2f", (speed + other.asInt()) / ALL)
        : said;
  }

  private static String unused(JsonNode profile, int runs) {
    String said =
        type(profile)
            + " used no memory of its GPU in "
            + (runs == 1 ? "a run" : runs + " runs in a row")
            + ": ";
    JsonNode reserved = profile.path("reservationBytes");
    return reserved.isNumber()
        ? said
            + "it is promised "
            + WaitText.bytes(reserved.asLong())
            + " and shares GPUs; what needs none does without --gpus"
        : said
            + "its next run has a GPU to itself again, until one uses memory or "
            + Profile.UNUSED_RUNS
            + " in a row have not; what needs no GPU does without --gpus";
  }

  private static String nearlyAll(JsonNode profile) {
    return type(profile)
        + " took "
        + profile.path("nearlyAllPercent").asInt()
        + " % of a GPU, so hardly anything shares one with it: if its framework takes memory"
        + " beforehand, set TF_FORCE_GPU_ALLOW_GROWTH=true (TensorFlow),"
        + " XLA_PYTHON_CLIENT_PREALLOCATE=false (JAX) or what it has of its own, then remuda"
        + " profiles forget '"
        + PrintableText.of(profile.path("type").asText())
        + "'";
  }

  /** Returns the type and its user. */
  static String type(JsonNode profile) {
    return PrintableText.of(
        "'" + profile.path("type").asText() + "' of " + profile.path("user").asText());
  }
}
