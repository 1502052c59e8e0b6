package io.remuda.coordinator.rest.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QueryParametersTest {

  @Test
  void gpus_are_separated_by_commas_and_there_is_at_least_one() {
    assertEquals(List.of("0", "GPU-a"), QueryParameters.gpus(Optional.of("0,GPU-a")));
    for (Optional<String> none :
        List.of(Optional.of(""), Optional.of("0,"), Optional.<String>empty())) {
      String said =
          assertThrows(IllegalArgumentException.class, () -> QueryParameters.gpus(none))
              .getMessage();
      assertEquals(
          "gpu must be numbers or UUIDs of GPUs, separated by commas, got '"
              + none.orElse("")
              + "'",
          said);
    }
  }
}
