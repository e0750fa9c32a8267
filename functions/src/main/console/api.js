/* What the console knows of the service: its public API, who is signed in, and that something has changed. */

const VERSION = '2026-09-01';
const WAITING = 90_000;

/** Numbers keep all of their digits: one that JavaScript would round, or write otherwise, stays as it was sent. */
const exact = (_, value, context) =>
  typeof value === 'number' && context?.source && JSON.rawJSON && String(value) !== context.source
    ? JSON.rawJSON(context.source)
    : value;

/* A string, or a number; what stands in a string is no number. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const rounds = (text) => (text.match(TOKENS) ?? []).some((one) => one[0] !== '"' && String(Number(one)) !== one);

/** A browser that cannot keep the digits of a number shows nothing of it, rather than another number. */
export function parse(text) {
  if (!JSON.rawJSON && rounds(text)) throw new Error('This browser cannot show a number of this exactly. Use a newer one.');
  return JSON.parse(text, exact);
}
export const isNumber = (value) => typeof value === 'number' || Boolean(JSON.isRawJSON?.(value));
export const digits = (value) => (JSON.isRawJSON?.(value) ? value.rawJSON : String(value));

/** The address of a path of the API, below whatever the console itself is below of. */
export const address = (path) => new URL(path.replace(/^\//, ''), document.baseURI).href;

/** What the service refused, in its own words. */
export class Refused extends Error {
  constructor(status, error, retryAfter) {
    super(error?.message ?? `The service answered ${status}.`);
    this.status = status;
    this.code = error?.code ?? 'unreachable';
    this.details = error?.details ?? {};
    this.requestId = error?.request_id;
    this.retryAfter = retryAfter;
  }
}

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function once(method, path, body, key) {
  const headers = { 'Service-Version': VERSION };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (key) headers['Idempotency-Key'] = key;
  const asker = me;
  let answer;
  try {
    answer = await fetch(address(path), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'same-origin',
    });
  } catch {
    throw new Refused(0, { message: 'The service cannot be reached. What you see may be old.' });
  }
  const text = await answer.text();
  let json = null;
  try {
    json = parse(text);
  } catch (e) {
    if (answer.ok) throw new Refused(answer.status, { message: e instanceof SyntaxError ? 'The answer was no JSON.' : e.message });
  }
  if (!answer.ok) {
    const refused = new Refused(answer.status, json?.error, Number(answer.headers.get('Retry-After')) || 0);
    // What signs somebody in is refused with 401 too, and whoever is signed in, or has come to be meanwhile, stays so.
    if (answer.status === 401 && me && me === asker && !path.startsWith('/v1/sign_in/')) window.dispatchEvent(new CustomEvent('signed-out', { detail: refused }));
    throw refused;
  }
  return json;
}

export const get = (path) => once('GET', path);

/**
 * Sends under a key of its own and waits for what goes on behind the answer: the same request under the same key answers
 * when it is done, and does nothing twice.
 */
export async function send(method, path, body = {}, key = crypto.randomUUID()) {
  const until = Date.now() + WAITING;
  for (;;) {
    try {
      return await once(method, path, body, key);
    } catch (refused) {
      const again = refused.status === 503 || refused.code === 'idempotency_in_progress';
      if (!again || Date.now() > until) throw refused;
      await pause(Math.max(1, refused.retryAfter) * 1000);
    }
  }
}

/** All pages of a list, up to a number of items that a person can still look at. */
export async function all(path, most = 500) {
  const found = [];
  let cursor = '';
  do {
    const page = await get(path + (path.includes('?') ? '&' : '?') + 'limit=100' + cursor);
    found.push(...page.data);
    cursor = page.has_more ? `&cursor=${encodeURIComponent(page.next_cursor)}` : '';
  } while (cursor && found.length < most);
  return found;
}

let me = null;
export const who = () => me;
export const can = (...scopes) => scopes.every((scope) => me?.scopes.includes(scope));
export async function signedIn() {
  me = await get('/v1/me');
  remember();
  return me;
}
export function forget() {
  me = null;
}

/*
 * The identity provider: the one that the address names, or the one that this browser has signed in at before. An address
 * alone is not remembered: whoever made it may have a provider of their own in mind.
 */
const PROVIDER = 'governance-idp';
const IS_PROVIDER = /^idp_[0-9a-hjkmnp-tv-z]{26}$/;
const named = new URLSearchParams(location.search).get('idp');
function provider() {
  if (IS_PROVIDER.test(named ?? '')) return named;
  try {
    // An address that names none is of a page which says that there is none any more.
    if (named === '') localStorage.removeItem(PROVIDER);
    const idp = localStorage.getItem(PROVIDER);
    return IS_PROVIDER.test(idp ?? '') ? idp : null;
  } catch {
    return null;
  }
}
function remember() {
  const idp = provider();
  if (!idp || me?.session?.method !== 'issuer') return;
  try {
    localStorage.setItem(PROVIDER, idp);
  } catch {
    // A browser that keeps nothing is told again.
  }
}

/** Where one signs in at the provider and comes back to this page of the console; null where none is known. */
export function signInAddress(at = location.hash, maxAge = null) {
  const idp = provider();
  if (!idp) return null;
  const hash = at.replace(/[^#A-Za-z0-9._~!$&'()*+,;=:@/?%-]/g, '');
  const query = new URLSearchParams({ to: `/console?idp=${idp}${hash}` });
  if (maxAge !== null) query.set('max_age', maxAge);
  return address(`/v1/sign_in/${idp}?${query}`);
}

/** Where a person makes a passkey: by showing once more who they are, or by an older passkey; null for all others. */
export function passkeyAddress() {
  const method = me?.session?.method;
  if (method === 'passkey') return '#/passkey';
  return method === 'issuer' ? signInAddress('#/passkey', 300) : null;
}

/* Where somebody was whose session ended, or who went to make a passkey: what they come back by says nothing of that. */
const WAS_AT = 'governance-was-at';
export function keepPlace(hash) {
  try {
    if (hash) sessionStorage.setItem(WAS_AT, hash);
    else sessionStorage.removeItem(WAS_AT);
  } catch {
    // A browser that keeps nothing begins at the queue.
  }
}
export function keptPlace() {
  try {
    return sessionStorage.getItem(WAS_AT);
  } catch {
    return null;
  }
}

/* What does not change while it is looked at is asked for once. */
const kept = new Map();
export function known(path) {
  if (!kept.has(path)) {
    const asked = get(path);
    kept.set(path, asked);
    asked.catch(() => kept.delete(path));
  }
  return kept.get(path);
}
/* What is halted, as far as this page knows; `halts` tells that it has been looked for again. */
let stopped = [];
export const halts = () => stopped;
export async function lookForHalts() {
  stopped = await all('/v1/halts?active=true');
  window.dispatchEvent(new Event('halts'));
  return stopped;
}

export const name = async (path) => {
  try {
    return (await known(path)).name;
  } catch {
    return null;
  }
};

/*
 * Live. One tab of a browser, the one that holds the lock, has the stream, and tells the others; a tab that has been
 * hidden for half a minute lets go of it. Where there is no stream, it tells them every three seconds.
 */
const STREAM = '/v1/events/stream?include=plans,actions&event_type=plan.*,action.*';
const HIDDEN = 30_000;
const POLL = 3_000;
const AGAIN = 60_000;

const tabs = new BroadcastChannel('governance-console');
let letGo = null;
let hidden = 0;
let soon = 0;

/** Says once, for what comes in a burst, that something has changed. */
function changed() {
  if (document.hidden || soon) return;
  soon = setTimeout(() => {
    soon = 0;
    window.dispatchEvent(new Event('changed'));
  }, 120);
}

function tell() {
  changed();
  tabs.postMessage('changed');
}

/** Follows until it is let go of. */
function follow(released) {
  let source = null;
  let poll = 0;
  let again = 0;
  const open = () => {
    if (!can('events:read', 'plans:read', 'actions:read') || !window.EventSource) return fall();
    source = new EventSource(address(STREAM));
    source.addEventListener('open', () => {
      document.documentElement.dataset.live = 'stream';
      clearInterval(poll);
      poll = 0;
      tell();
    });
    source.addEventListener('envelope', tell);
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) fall();
    });
  };
  const fall = () => {
    document.documentElement.dataset.live = 'poll';
    if (!poll) poll = setInterval(tell, POLL);
    clearTimeout(again);
    again = setTimeout(open, AGAIN);
  };
  open();
  return released.then(() => {
    source?.close();
    clearInterval(poll);
    clearTimeout(again);
  });
}

function lead() {
  if (letGo || document.hidden || !me) return;
  const released = new Promise((done) => {
    letGo = done;
  });
  if (!navigator.locks) {
    follow(released);
    return;
  }
  const waiting = new AbortController();
  released.then(() => waiting.abort());
  navigator.locks
    .request('governance-stream', { signal: waiting.signal }, () => follow(released))
    .catch((e) => {
      if (e.name !== 'AbortError') throw e;
    });
}

function leave() {
  letGo?.();
  letGo = null;
}

/** Follows nothing any more, and tells of nothing that has come: who signs out sees no more of it. */
export function rest() {
  leave();
  clearTimeout(soon);
  soon = 0;
}

export function live() {
  leave();
  lead();
}

/** Tells the other tabs who is signed in now: they share the cookie, and so would go on as somebody whom they do not show. */
export const announce = () => tabs.postMessage({ session: me?.session?.id });

tabs.addEventListener('message', ({ data }) => {
  if (!data.session) changed();
  else if (me && me.session?.id !== data.session) location.reload();
});
window.addEventListener('signed-out', leave);
document.addEventListener('visibilitychange', () => {
  clearTimeout(hidden);
  if (document.hidden) {
    hidden = setTimeout(leave, HIDDEN);
  } else {
    changed();
    lead();
  }
});
