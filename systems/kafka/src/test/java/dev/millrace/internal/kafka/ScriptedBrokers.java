package dev.millrace.internal.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.RequestHeader;

/// Stands between clients and a [ModelCluster], and lets a test decide what becomes of each answer.
public record ScriptedBrokers(ModelCluster cluster, Script script)
    implements ModelNetwork.Listener {
  /// What becomes of an answer.
  @FunctionalInterface
  public interface Script {
    /// @param connection the same for all that is sent over one
    /// @param truth what the cluster answers, having done it; may be changed
    /// @return what is answered; null if the connection ends instead
    ApiMessage answer(String connection, ApiKeys api, ApiMessage request, ApiMessage truth);
  }

  @Override
  public ModelNetwork.Reply receive(String connection, int port, ByteBuffer bytes) {
    RequestHeader header = RequestHeader.parse(bytes);
    ApiKeys api = header.apiKey();
    short version = header.apiVersion();
    ApiMessage request =
        AbstractRequest.parseRequest(api, version, new ByteBufferAccessor(bytes)).request.data();
    ApiMessage answer = script.answer(connection, api, request, cluster.answer(port, api, request));
    if (answer == null) {
      return new ModelNetwork.Reply(null, true);
    }
    ResponseHeaderData responseHeader =
        new ResponseHeaderData().setCorrelationId(header.correlationId());
    return LyingBrokers.reply(responseHeader, api, version, answer);
  }
}
