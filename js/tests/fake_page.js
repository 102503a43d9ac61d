// The few parts of a browser that the tested modules use. Import this module before them.

/** An element that remembers attributes, classes and the focus. */
export class FakeElement {
  constructor(tagName = "DIV") {
    Object.assign(this, { tagName, hidden: false, textContent: "", children: [], style: {}, title: "" });
    this.attributes = new Map();
    this.classes = new Set();
    this.classList = {
      add: (...names) => names.forEach((name) => this.classes.add(name)),
      remove: (...names) => names.forEach((name) => this.classes.delete(name)),
      toggle: (name, on = !this.classes.has(name)) => (on ? this.classes.add(name) : this.classes.delete(name)),
      contains: (name) => this.classes.has(name),
    };
  }
  get ariaInvalid() {
    return this.attributes.get("aria-invalid") ?? null;
  }
  setAttribute(name, value) {
    this.attributes.set(name, value);
  }
  removeAttribute(name) {
    this.attributes.delete(name);
  }
  append(...nodes) {
    this.children.push(...nodes);
  }
  closest() {
    return this;
  }
  focus() {
    document.activeElement = this;
    this.onfocus?.();
  }
  scrollIntoView() {
    this.scrolled = true;
  }
  getBoundingClientRect() {
    return { left: 0, right: 600, top: 0, bottom: 20, width: 600, height: 20 };
  }
  addEventListener() {}
}

/** A text field. */
export class FakeInput extends FakeElement {
  constructor(value = "") {
    super("INPUT");
    Object.assign(this, { value, selectionStart: 0, selectionEnd: 0 });
  }
  select() {
    this.setSelectionRange(0, this.value.length);
  }
  setSelectionRange(start, end) {
    [this.selectionStart, this.selectionEnd] = [start, end];
  }
}

globalThis.HTMLInputElement = FakeInput;
globalThis.document = {
  activeElement: null,
  addEventListener() {},
  createElement: (tag) => (tag === "input" ? new FakeInput() : new FakeElement(tag.toUpperCase())),
};

/**
 * An event with the properties that handlers read.
 *
 * @param {FakeElement} target
 * @param {object} properties
 */
export const event = (target, properties = {}) => {
  const made = { target, prevented: false, ...properties };
  made.preventDefault = () => {
    made.prevented = true;
  };
  return made;
};

// Browsers have it, Node does not.
globalThis.reportError ??= (/** @type {unknown} */ error) => {
  throw error;
};
