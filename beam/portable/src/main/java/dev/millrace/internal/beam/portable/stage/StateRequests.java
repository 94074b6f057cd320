package dev.millrace.internal.beam.portable.stage;

import java.io.IOException;
import java.util.UUID;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.ProcessBundleRequest.CacheToken;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateAppendResponse;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateClearResponse;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateGetResponse;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateResponse;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.MultimapState;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/// Answers what a harness asks of views and states. Used by the thread of the task.
final class StateRequests {
  private final @Nullable StageViews views;
  private final @Nullable UserStates states;

  /// Says that the harness may remember the states of this task. An operator that is opened has
  /// another one, since what a failed bundle has written is not in the state.
  private final CacheToken token =
      CacheToken.newBuilder()
          .setUserState(CacheToken.UserState.getDefaultInstance())
          .setToken(ByteString.copyFromUtf8(UUID.randomUUID().toString()))
          .build();

  StateRequests(@Nullable StageViews views, @Nullable UserStates states) {
    this.views = views;
    this.states = states;
  }

  CacheToken token() {
    return token;
  }

  /// Returns the answer to a request.
  ///
  /// @throws UnsupportedOperationException if it is of a kind that is not known
  StateResponse.Builder answer(StateRequest request) throws IOException {
    StateKey key = request.getStateKey();
    return switch (key.getTypeCase()) {
      case ITERABLE_SIDE_INPUT -> {
        StateKey.IterableSideInput of = key.getIterableSideInput();
        yield got(views().elements(name(of.getTransformId(), of.getSideInputId()), of.getWindow()));
      }
      case MULTIMAP_SIDE_INPUT -> {
        StateKey.MultimapSideInput of = key.getMultimapSideInput();
        yield got(
            views()
                .values(
                    name(of.getTransformId(), of.getSideInputId()), of.getWindow(), of.getKey()));
      }
      case MULTIMAP_KEYS_SIDE_INPUT -> {
        StateKey.MultimapKeysSideInput of = key.getMultimapKeysSideInput();
        yield got(views().keys(name(of.getTransformId(), of.getSideInputId()), of.getWindow()));
      }
      case BAG_USER_STATE -> bag(request, key.getBagUserState());
      case MULTIMAP_USER_STATE -> multimap(request, key.getMultimapUserState());
      case MULTIMAP_KEYS_USER_STATE -> keys(request, key.getMultimapKeysUserState());
      case ORDERED_LIST_USER_STATE -> list(request, key.getOrderedListUserState());
      default ->
          throw new UnsupportedOperationException(
              "The harness asks for %s, which the runner does not know."
                  .formatted(key.getTypeCase()));
    };
  }

  private StateResponse.Builder bag(StateRequest request, StateKey.BagUserState of)
      throws IOException {
    BagState<ByteString> bag =
        states()
            .bag(
                new UserStates.Place(
                    of.getTransformId(), of.getUserStateId(), of.getKey(), of.getWindow()));
    return switch (request.getRequestCase()) {
      case GET -> got(ByteString.copyFrom(bag.read()));
      case APPEND -> {
        bag.add(request.getAppend().getData());
        yield appended();
      }
      case CLEAR -> {
        bag.clear();
        yield cleared();
      }
      default -> throw unknown(request);
    };
  }

  private StateResponse.Builder multimap(StateRequest request, StateKey.MultimapUserState of)
      throws IOException {
    MultimapState<ByteString, ByteString> multimap =
        states()
            .multimap(
                new UserStates.Place(
                    of.getTransformId(), of.getUserStateId(), of.getKey(), of.getWindow()));
    return switch (request.getRequestCase()) {
      case GET -> got(ByteString.copyFrom(multimap.get(of.getMapKey()).read()));
      case APPEND -> {
        multimap.put(of.getMapKey(), request.getAppend().getData());
        yield appended();
      }
      case CLEAR -> {
        multimap.remove(of.getMapKey());
        yield cleared();
      }
      default -> throw unknown(request);
    };
  }

  private StateResponse.Builder keys(StateRequest request, StateKey.MultimapKeysUserState of)
      throws IOException {
    MultimapState<ByteString, ByteString> multimap =
        states()
            .multimap(
                new UserStates.Place(
                    of.getTransformId(), of.getUserStateId(), of.getKey(), of.getWindow()));
    return switch (request.getRequestCase()) {
      case GET -> got(ByteString.copyFrom(multimap.keys().read()));
      case CLEAR -> {
        multimap.clear();
        yield cleared();
      }
      default -> throw unknown(request);
    };
  }

  private StateResponse.Builder list(StateRequest request, StateKey.OrderedListUserState of)
      throws IOException {
    UserStates.Place place =
        new UserStates.Place(of.getTransformId(), of.getUserStateId(), of.getKey(), of.getWindow());
    return switch (request.getRequestCase()) {
      case GET -> got(states().read(place, of.getRange()));
      case APPEND -> {
        states().append(place, request.getAppend().getData());
        yield appended();
      }
      case CLEAR -> {
        states().clear(place, of.getRange());
        yield cleared();
      }
      default -> throw unknown(request);
    };
  }

  private StageViews views() {
    if (views == null) {
      throw new IllegalStateException("The stage reads no views.");
    }
    return views;
  }

  private UserStates states() {
    if (states == null) {
      throw new IllegalStateException("The stage has no state.");
    }
    return states;
  }

  private static StageView.Name name(String transform, String local) {
    return new StageView.Name(transform, local);
  }

  private static StateResponse.Builder got(ByteString data) {
    return StateResponse.newBuilder().setGet(StateGetResponse.newBuilder().setData(data));
  }

  private static StateResponse.Builder appended() {
    return StateResponse.newBuilder().setAppend(StateAppendResponse.getDefaultInstance());
  }

  private static StateResponse.Builder cleared() {
    return StateResponse.newBuilder().setClear(StateClearResponse.getDefaultInstance());
  }

  private static UnsupportedOperationException unknown(StateRequest request) {
    return new UnsupportedOperationException(
        "The harness wants %s of %s, which the runner does not know."
            .formatted(request.getRequestCase(), request.getStateKey().getTypeCase()));
  }
}
