package io.remuda.coordinator.notice;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.coordinator.store.row.JobNotice;
import io.remuda.coordinator.store.row.RowMapping;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** One try to tell a receiver. */
class NoticeDeliveryTest {

  @Test
  void a_client_that_cannot_be_made_is_a_failed_try() {
    NoticeDelivery delivery =
        new NoticeDelivery(
            List.of(),
            () -> {
              throw new UncheckedIOException(new IOException("Too many open files"));
            });
    JobNotice notice =
        new JobNotice(
            "http://127.0.0.1:9/", "end", 1000, 7, "train", "ann", "failed", null, 3, 1, 5, 6, 10);
    CompletionStage<Void> told = delivery.send(RowMapping.json(notice));
    CompletionException fault =
        assertThrows(CompletionException.class, () -> told.toCompletableFuture().join());
    assertInstanceOf(UncheckedIOException.class, fault.getCause());
  }
}
