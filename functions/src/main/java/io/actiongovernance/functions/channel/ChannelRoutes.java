package io.actiongovernance.functions.channel;

import static io.actiongovernance.functions.rights.Needs.MANAGE;
import static io.actiongovernance.functions.rights.Rights.on;
import static io.actiongovernance.functions.rights.Rights.opening;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.Rights.sealing;
import static io.actiongovernance.functions.rights.TableAccess.DELETE;
import static io.actiongovernance.functions.rights.TableAccess.READ;
import static io.actiongovernance.functions.rights.TableAccess.UPDATE;
import static io.actiongovernance.store.Table.LIMITS;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.functions.route.Route;
import java.util.List;

/** The routes of channels. */
public final class ChannelRoutes {
  public static final Route CREATE_CHANNEL =
      Route.post("create-channel", "/v1/channels")
          .key(Scope.WEBHOOKS_WRITE, RateClass.MANAGEMENT)
          .needs(MANAGE.and(reading(LIMITS)).and(sealing(Purpose.CHANNEL)))
          .handledBy(
              () -> CreateChannelHandler.class,
              wiring -> {
                ChannelWiring channels = new ChannelWiring(wiring);
                return new CreateChannelHandler(channels.manage(), channels.views());
              });

  public static final Route LIST_CHANNELS =
      Route.get("list-channels", "/v1/channels")
          .key(Scope.WEBHOOKS_READ, RateClass.MANAGEMENT)
          .needs(reading(STATE, LIMITS))
          .handledBy(
              () -> ListChannelsHandler.class,
              wiring -> {
                ChannelWiring channels = new ChannelWiring(wiring);
                return new ListChannelsHandler(channels.channels(), channels.views());
              });

  public static final Route RETRIEVE_CHANNEL =
      Route.get("retrieve-channel", "/v1/channels/{channel_id}")
          .key(Scope.WEBHOOKS_READ, RateClass.MANAGEMENT)
          .needs(reading(STATE, LIMITS))
          .handledBy(
              () -> RetrieveChannelHandler.class,
              wiring -> {
                ChannelWiring channels = new ChannelWiring(wiring);
                return new RetrieveChannelHandler(channels.channels(), channels.views());
              });

  public static final Route UPDATE_CHANNEL =
      Route.patch("update-channel", "/v1/channels/{channel_id}")
          .key(Scope.WEBHOOKS_WRITE, RateClass.MANAGEMENT)
          .needs(MANAGE.and(on(LIMITS, READ, UPDATE)).and(sealing(Purpose.CHANNEL)))
          .handledBy(
              () -> UpdateChannelHandler.class,
              wiring -> {
                ChannelWiring channels = new ChannelWiring(wiring);
                return new UpdateChannelHandler(channels.manage(), channels.views());
              });

  public static final Route DELETE_CHANNEL =
      Route.delete("delete-channel", "/v1/channels/{channel_id}")
          .key(Scope.WEBHOOKS_WRITE, RateClass.MANAGEMENT)
          .needs(MANAGE.and(on(LIMITS, READ, DELETE)))
          .handledBy(
              () -> DeleteChannelHandler.class,
              wiring -> new DeleteChannelHandler(new ChannelWiring(wiring).manage()));

  public static final Route TEST_CHANNEL =
      Route.post("test-channel", "/v1/channels/{channel_id}/test")
          .key(Scope.WEBHOOKS_WRITE, RateClass.TRIAL)
          .needs(reading(STATE).and(opening(Purpose.CHANNEL)))
          .handledBy(
              () -> TestChannelHandler.class,
              wiring -> new TestChannelHandler(new ChannelWiring(wiring).testChannel()));

  private ChannelRoutes() {}

  public static List<Route> all() {
    return List.of(
        CREATE_CHANNEL,
        LIST_CHANNELS,
        RETRIEVE_CHANNEL,
        UPDATE_CHANNEL,
        DELETE_CHANNEL,
        TEST_CHANNEL);
  }
}
