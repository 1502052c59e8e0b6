package io.remuda.agent.protocol;

import io.remuda.telemetry.model.DeviceId;
import java.util.List;
import java.util.Objects;

/**
 * One start of a gang: where its members are and how they find each other. All members of a start
 * are told the same.
 *
 * @param number of the start, from 1; each is one attempt of every member
 * @param failures how many starts ended because a member failed
 * @param masterPort TCP port on the node of the first member for the program's own use
 * @param members by rank, which is the index of the task
 */
public record GangStart(int number, int failures, int masterPort, List<Member> members) {

  /**
   * The most that a start may usually take in a message: it is told to each node, once for each
   * role there, and all its members know it.
   */
  public static final long MOST_BYTES = 1 << 20;

  /** Before the first start. */
  public static final GangStart NONE = new GangStart(0, 0, 0, List.of());

  /**
   * A member.
   *
   * @param address at which other nodes reach its node
   * @param port TCP port there for the member's own use
   */
  public record Member(String node, String address, int port, List<DeviceId> devices) {
    private static final long BYTES = 40;
    private static final long NAMES = 60;
    private static final long DEVICE_BYTES = 4;
    private static final long UUID = 44;

    public Member {
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(address, "address");
      devices = List.copyOf(devices);
    }
  }

  public GangStart {
    members = List.copyOf(members);
  }

  /** Returns about how many bytes it takes in a message. */
  public long bytes() {
    long bytes = 0;
    for (Member member : members) {
      bytes += Member.BYTES + member.node().length() + member.address().length();
      for (DeviceId device : member.devices()) {
        bytes += Member.DEVICE_BYTES + device.uuid().length();
      }
    }
    return bytes;
  }

  /**
   * Returns about how many bytes a start takes before it is known where its members are.
   *
   * @param devices of all members together
   */
  public static long usualBytes(long members, long devices) {
    return members * (Member.BYTES + Member.NAMES) + devices * (Member.DEVICE_BYTES + Member.UUID);
  }

  /** Returns the start after a member has failed, so that all start again. */
  public GangStart failed() {
    return new GangStart(number, failures + 1, masterPort, members);
  }
}
