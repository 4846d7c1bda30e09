/**
 * Names of endpoints, one name space a job, known to all its nodes, and to those that ask one of
 * them by host and port.
 *
 * <p>Entry: {@link io.tagfabric.name.NameService}. May import {@code address}, {@code
 * cluster.control}, {@code control}, {@code error}, {@code progress}, {@code runtime} and {@code
 * wire}. Each ActorSystem has one service; it holds the names of its own endpoints and no others',
 * so a name goes with its node. {@link io.tagfabric.name.NameTable} is the plain core, which
 * decides which endpoint gets a name that several want; {@link io.tagfabric.name.SearchDesk} asks
 * other nodes, {@link io.tagfabric.name.AnswerDesk} answers them, {@link
 * io.tagfabric.name.JoinDesk} keeps what must wait until this node is a member.
 */
package io.tagfabric.name;
