// @ts-check
// Widgets of a page: their classes, and their models as the kernel has them.
import * as base from "@jupyter-widgets/base";
import { ManagerBase } from "@jupyter-widgets/base-manager/lib/manager-base";
import * as box from "@jupyter-widgets/controls/lib/widget_box";
import * as text from "@jupyter-widgets/controls/lib/widget_string";
import anywidget from "./anywidget.js";
import { PATIENCE } from "./environment.js";

/** Classes by module. A page that uses others is shown by Voila's own script. @type {Record<string, any>} */
const MODULES = {
  "@jupyter-widgets/base": base,
  "@jupyter-widgets/controls": { ...box, ...text },
  anywidget: anywidget(base),
};

const CONTROL = "jupyter.widget.control";

/** A widget that this front end cannot show. */
export class UnknownWidget extends Error {}

/** @typedef {{ model_name: string, model_module: string, model_module_version: string, state: Record<string, any> }} Saved */

/** @param {string} module @param {string} name */
const isKnown = (module, name) => Boolean(MODULES[module]?.[name]);

/** @param {ArrayBuffer | ArrayBufferView} bytes */
const view = (bytes) =>
  ArrayBuffer.isView(bytes) ? new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new DataView(bytes);

export class Manager extends ManagerBase {
  /** @param {any} kernel a connection of @jupyterlab/services */
  constructor(kernel) {
    super();
    this.kernel = kernel;
    /** @type {Map<string, (() => void)[]>} */
    this.waiting = new Map();
    kernel.registerCommTarget(this.comm_target_name, (/** @type {any} */ comm, /** @type {any} */ message) =>
      this.handle_comm_open(new base.shims.services.Comm(comm), message),
    );
  }

  /** @param {string} target @param {string} id @param {any} [data] @param {any} [metadata] @param {any} [buffers] */
  async _create_comm(target, id, data, metadata, buffers) {
    const comm = this.kernel.createComm(target, id);
    if (data || metadata) comm.open(data, metadata, buffers);
    return new base.shims.services.Comm(comm);
  }

  async _get_comm_info() {
    const reply = await this.kernel.requestCommInfo({ target_name: this.comm_target_name });
    return reply.content.status === "ok" ? reply.content.comms : {};
  }

  /** @param {string} name @param {string} module */
  async loadClass(name, module) {
    const found = MODULES[module]?.[name];
    if (!found) throw new UnknownWidget(`${name} of ${module}`);
    return found;
  }

  /** @param {string} id @param {Promise<any>} model */
  register_model(id, model) {
    super.register_model(id, model);
    for (const come of this.waiting.get(id) ?? []) come();
    this.waiting.delete(id);
  }

  /**
   * Return a model, also one that the kernel opens later.
   *
   * @param {string} id
   */
  async get_model(id) {
    if (!this.has_model(id))
      await new Promise((/** @type {(value?: any) => void} */ resolve, reject) => {
        this.waiting.set(id, [...(this.waiting.get(id) ?? []), resolve]);
        setTimeout(() => reject(new Error(`The kernel has no widget ${id}.`)), PATIENCE);
      });
    return super.get_model(id);
  }

  /**
   * Make the models of all widgets of the kernel.
   *
   * @throws {UnknownWidget} if one of them has no class here
   */
  async restore() {
    const { content, buffers } = await this.request_states();
    const { states, buffer_paths: paths } = content.data;
    for (const saved of /** @type {Saved[]} */ (Object.values(states))) {
      const { _view_module: module, _view_name: name } = saved.state;
      if (!isKnown(saved.model_module, saved.model_name) || (name && !isKnown(module, name)))
        throw new UnknownWidget(`${saved.model_name} of ${saved.model_module}`);
    }
    paths.forEach((/** @type {string[]} */ [id, ...path], /** @type {number} */ index) => {
      base.put_buffers(states[id], [path], [view(buffers[index])]);
    });
    // Each model is registered before the first of them is made, because widgets refer to each other.
    await Promise.all(
      Object.entries(states)
        .filter(([id]) => !this.has_model(id))
        .map(([id, saved]) => this.new_model({ ...described(saved), model_id: id, comm: this.comm(id) }, saved.state)),
    );
  }

  /** @param {string} id */
  comm(id) {
    return new base.shims.services.Comm(this.kernel.createComm(this.comm_target_name, id));
  }

  /** @returns {Promise<any>} the message of the kernel with the states of all widgets */
  request_states() {
    const comm = this.kernel.createComm(CONTROL, base.uuid());
    return new Promise((resolve, reject) => {
      const fail = () => reject(new Error("The kernel does not send its widgets."));
      const late = setTimeout(fail, PATIENCE);
      comm.onClose = fail;
      this.kernel.statusChanged.connect((/** @type {any} */ _, /** @type {string} */ status) => {
        if (status === "dead") fail();
      });
      comm.onMsg = (/** @type {any} */ message) => {
        if (message.content.data.method !== "update_states") return;
        clearTimeout(late);
        resolve(message);
      };
      comm.open({}, { version: "1.0.0" });
      comm.send({ method: "request_states" });
    }).finally(() => {
      if (!comm.isDisposed) comm.close();
    });
  }
}

/** @param {Saved} saved */
const described = ({ model_name, model_module, model_module_version }) => ({
  model_name,
  model_module,
  model_module_version,
});
