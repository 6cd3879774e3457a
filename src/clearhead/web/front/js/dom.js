// The few things every page does with the document. Anybody's text goes in as text, never as markup.

export const $ = (selector, root = document) => root.querySelector(selector);

// An element: properties by name, listeners as functions, children as nodes or text.
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name === "class") element.className = value;
    else if (name === "value") element.value = value;
    else if (name in element && !name.startsWith("aria") && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

// Markup that our own Python made (it escapes what people wrote), as nodes.
export function made(markup) {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return template.content;
}

export function say(words) {
  const live = $("#live");
  live.textContent = "";
  requestAnimationFrame(() => { live.textContent = words; });
}

let toasted;
export function toast(words) {
  clearTimeout(toasted);
  $(".toast")?.remove();
  document.body.append(h("div", { class: "toast", role: "status" }, words));
  toasted = setTimeout(() => $(".toast")?.remove(), 4000);
}

export function later(milliseconds, action) {
  let waiting;
  return (...values) => { clearTimeout(waiting); waiting = setTimeout(() => action(...values), milliseconds); };
}

export function download({ name, type, text, base64 }) {
  const parts = base64 === undefined ? text : Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([parts], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// What a browser keeps for this page; where it may keep nothing, nothing is kept.
export const kept = {
  get(key) { try { return JSON.parse(localStorage.getItem(`clearhead:${key}`)); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(`clearhead:${key}`, JSON.stringify(value)); } catch { /* full or forbidden */ } },
};

export async function asBase64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
