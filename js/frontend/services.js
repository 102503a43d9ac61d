// The part of @jupyterlab/services that its kernel connection uses. The whole package also has contents, settings,
// terminals and more.
export { CommsOverSubshells } from "@jupyterlab/services/lib/kernel/comm";
export { ServerConnection } from "@jupyterlab/services/lib/serverconnection";
