package io.tagfabric.architecture;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The public types that programs may use, by package; types for authors of providers and of frame
 * services are among them. All other public types carry {@code @InternalApi}, or their package
 * does.
 */
final class Surface {
  private static final Map<String, Set<String>> TYPES =
      Map.ofEntries(
          Map.entry(
              "io.tagfabric.access",
              Set.of(
                  "Access",
                  "AccessListener",
                  "AccessRegion",
                  "EndpointMemory",
                  "MemoryFutures",
                  "MemoryOperations",
                  "RemoteRegion",
                  "RemoteSegments",
                  "SegmentFutures")),
          Map.entry(
              "io.tagfabric.active",
              Set.of(
                  "ActiveCall",
                  "ActiveClaim",
                  "ActiveHandler",
                  "ActiveListener",
                  "ActiveMessages",
                  "ActiveReply",
                  "ActiveReplyClaim",
                  "ActiveRequestClaim",
                  "ReceivedRequest")),
          Map.entry("io.tagfabric.actor", Set.of("FabricActors", "FabricSetup", "ServiceListing")),
          Map.entry(
              "io.tagfabric.address",
              Set.of(
                  "AddressSnapshot",
                  "AddressVector",
                  "ContextAddresses",
                  "EndpointAddress",
                  "Protocols")),
          Map.entry("io.tagfabric.annotation", Set.of("InternalApi")),
          Map.entry("io.tagfabric.runtime", Set.of("RandomSource")),
          Map.entry(
              "io.tagfabric.cluster.job",
              Set.of(
                  "CodePolicy",
                  "ExitCode",
                  "ExitSettings",
                  "HoldPhase",
                  "JobSettings",
                  "JobSpec",
                  "KeyProof",
                  "LossPolicy",
                  "Profile")),
          Map.entry(
              "io.tagfabric.cluster.settings", Set.of("Setting", "Settings", "SettingsException")),
          Map.entry(
              "io.tagfabric.collective",
              Set.of(
                  "AtomicsDomain",
                  "CartesianTeam",
                  "ClusterTeam",
                  "NamedBarrier",
                  "PreparedCollective",
                  "Ranks",
                  "Team",
                  "TeamActor",
                  "TeamCollectives",
                  "TeamMemory",
                  "TeamObjects")),
          Map.entry("io.tagfabric.collective.algorithm", Set.of("Collective", "Edges")),
          Map.entry(
              "io.tagfabric.collective.reduce",
              Set.of("ElementKind", "Elements", "RecordKind", "ReduceOp", "Reduction")),
          Map.entry(
              "io.tagfabric.collective.run",
              Set.of(
                  "CollectiveCall",
                  "CollectiveCompletion",
                  "CollectiveSettings",
                  "CollectiveTags",
                  "SharedMemoryUse",
                  "TeamException")),
          Map.entry("io.tagfabric.collective.schedule", Set.of("Blocks")),
          Map.entry(
              "io.tagfabric.complete",
              Set.of(
                  "Completion",
                  "CompletionBatch",
                  "CompletionEntry",
                  "CompletionHandler",
                  "CompletionLevel",
                  "CompletionQueue",
                  "CompletionRing",
                  "Completions",
                  "Counter",
                  "CounterUnit",
                  "Deferral",
                  "DeferredOperation",
                  "Direction")),
          Map.entry(
              "io.tagfabric.endpoint",
              Set.of("DeferredOperations", "Endpoint", "EndpointFutures", "EndpointPort")),
          Map.entry("io.tagfabric.error", Set.of("FabricError", "FabricException")),
          Map.entry("io.tagfabric.exit", Set.of("ExitKind", "ExitNotice")),
          Map.entry(
              "io.tagfabric.fabric",
              Set.of(
                  "Capability",
                  "Domain",
                  "DomainMXBean",
                  "EndpointKind",
                  "Fabric",
                  "FabricHints",
                  "FabricInfo",
                  "FabricSegments",
                  "FabricSettings",
                  "NodeDeparture",
                  "ScalableEndpoint",
                  "ScalableOptions",
                  "SegmentedRegion")),
          Map.entry("io.tagfabric.flow", Set.of("FlowState")),
          Map.entry("io.tagfabric.flow.send", Set.of("OutgoingActive", "OutgoingFrame")),
          Map.entry(
              "io.tagfabric.flow.window",
              Set.of("ActiveSettings", "FlowCounters", "FlowPace", "FlowSettings", "SizeClasses")),
          Map.entry(
              "io.tagfabric.job",
              Set.of("Job", "JobExit", "JobOptions", "JobProgram", "Locality", "RankMap")),
          Map.entry(
              "io.tagfabric.kryo",
              Set.of(
                  "KryoCodec",
                  "KryoCodecException",
                  "KryoOverflowException",
                  "KryoRegistrations",
                  "KryoSerializable")),
          Map.entry("io.tagfabric.kryo.actor", Set.of("KryoExtension", "KryoSetup")),
          Map.entry(
              "io.tagfabric.link",
              Set.of("ConnectPolicy", "EndpointService", "EndpointSettings", "Posted")),
          Map.entry("io.tagfabric.link.send", Set.of("SendListener", "SendOptions", "TaggedSend")),
          Map.entry(
              "io.tagfabric.receive",
              Set.of("EndpointBindings", "ReceiveBindings", "ReceiveContext", "Receives")),
          Map.entry(
              "io.tagfabric.match",
              Set.of(
                  "Claim",
                  "MessageInfo",
                  "Probe",
                  "ReceiveListener",
                  "TagMatcher",
                  "TaggedReceive")),
          Map.entry(
              "io.tagfabric.memory",
              Set.of(
                  "AtomicKind",
                  "AtomicOp",
                  "MemorySettings",
                  "Region",
                  "RegionCounters",
                  "RegionDescriptor",
                  "RegionListener",
                  "RegionOptions",
                  "RegionReach",
                  "RegionRight",
                  "SegmentsDescriptor",
                  "Slices")),
          Map.entry("io.tagfabric.name", Set.of("NameService")),
          Map.entry(
              "io.tagfabric.progress",
              Set.of(
                  "CoreSet",
                  "HandOver",
                  "IdlePolicy",
                  "IdleStrategy",
                  "PollMode",
                  "ProgressFuture",
                  "ProgressFutures",
                  "ProgressLoop",
                  "ProgressMode",
                  "ProgressPacing",
                  "ProgressSettings",
                  "ProgressThread",
                  "ThreadUse",
                  "TimeSource")),
          Map.entry(
              "io.tagfabric.provider",
              Set.of(
                  "Channel",
                  "FabricMemory",
                  "PathInfo",
                  "Provider",
                  "ProviderCapabilities",
                  "ProviderDecorator",
                  "ProviderUnavailableException",
                  "Reach",
                  "SharedMemory",
                  "Wire",
                  "WireActors",
                  "WireContext",
                  "WireDecorator",
                  "WireListener")),
          Map.entry(
              "io.tagfabric.stream",
              Set.of("OutgoingMessage", "SourceControl", "TagfabricStreams")),
          Map.entry(
              "io.tagfabric.testkit",
              Set.of(
                  "At",
                  "FabricExtension",
                  "FabricTest",
                  "Face",
                  "LeakPolicy",
                  "TagProbe",
                  "TestFabric",
                  "TestNetwork",
                  "TestTime")),
          Map.entry("io.tagfabric.tag", Set.of("Payload", "TagSelector", "TaggedMessage")),
          Map.entry(
              "io.tagfabric.wire",
              Set.of(
                  "AccessWriter",
                  "Announced",
                  "Answer",
                  "BufferRange",
                  "FlowKey",
                  "FrameCursor",
                  "FrameOrigin",
                  "FrameService",
                  "FrameServices",
                  "FrameWriter",
                  "MemoryKey",
                  "MessageView",
                  "Packet",
                  "PacketPool",
                  "PayloadCopy")));

  private Surface() {}

  /** Full names. */
  static Set<String> types() {
    return TYPES.entrySet().stream()
        .flatMap(entry -> entry.getValue().stream().map(name -> entry.getKey() + "." + name))
        .collect(Collectors.toSet());
  }
}
