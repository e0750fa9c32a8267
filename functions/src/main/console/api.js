/* Access to the service: its public API, the signed-in principal, and notice of changes. */

const VERSION = '2026-09-01';
const WAITING = 90_000;

/** Keeps all digits of a number: one that JavaScript would round or write differently stays as it was sent. */
const exact = (_, value, context) =>
  typeof value === 'number' && context?.source && JSON.rawJSON && String(value) !== context.source
    ? JSON.rawJSON(context.source)
    : value;

/* Matches a string or a number. Digits inside a string are not a number. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const rounds = (text) => (text.match(TOKENS) ?? []).some((one) => one[0] !== '"' && String(Number(one)) !== one);

/** Parses JSON. Fails if the browser cannot keep the digits of a number, rather than show another number. */
export function parse(text) {
  if (!JSON.rawJSON && rounds(text)) throw new Error('This browser cannot show a number of this answer exactly. Use a newer browser.');
  return JSON.parse(text, exact);
}
export const isNumber = (value) => typeof value === 'number' || Boolean(JSON.isRawJSON?.(value));
export const digits = (value) => (JSON.isRawJSON?.(value) ? value.rawJSON : String(value));

/** The URL of an API path, below the same base path as the console. */
export const address = (path) => new URL(path.replace(/^\//, ''), document.baseURI).href;

/** An error of the service, with the service's own message. */
export class Refused extends Error {
  constructor(status, error, retryAfter) {
    super(error?.message ?? `The service answered with status ${status}.`);
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
    throw new Refused(0, { message: 'The service cannot be reached. This page may be out of date.' });
  }
  const text = await answer.text();
  let json = null;
  try {
    json = parse(text);
  } catch (e) {
    if (answer.ok) throw new Refused(answer.status, { message: e instanceof SyntaxError ? 'The answer of the service is not valid JSON.' : e.message });
  }
  if (!answer.ok) {
    const refused = new Refused(answer.status, json?.error, Number(answer.headers.get('Retry-After')) || 0);
    // A failed sign-in is 401 too. It does not end the current session, nor one that began in the meantime.
    if (answer.status === 401 && me && me === asker && !path.startsWith('/v1/sign_in/')) window.dispatchEvent(new CustomEvent('signed-out', { detail: refused }));
    throw refused;
  }
  return json;
}

export const get = (path) => once('GET', path);

/**
 * Sends with an idempotency key and waits until the work is done. It repeats the request under the same key, so nothing is
 * done twice.
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

/** All pages of a list, up to a number of items that a person can still review. */
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
 * The identity provider: the one in the address, or the one where this browser signed in before. A provider is remembered
 * only after a sign-in, because anybody can make an address that names their own provider.
 */
const PROVIDER = 'governance-idp';
const IS_PROVIDER = /^idp_[0-9a-hjkmnp-tv-z]{26}$/;
const named = new URLSearchParams(location.search).get('idp');
function provider() {
  if (IS_PROVIDER.test(named ?? '')) return named;
  try {
    // An empty `idp` comes from a page that says that the provider was removed.
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
    // Without storage, the address must name the provider each time.
  }
}

/** The address that signs in at the provider and returns to this page of the console; null if no provider is known. */
export function signInAddress(at = location.hash, maxAge = null) {
  const idp = provider();
  if (!idp) return null;
  const hash = at.replace(/[^#A-Za-z0-9._~!$&'()*+,;=:@/?%-]/g, '');
  const query = new URLSearchParams({ to: `/console?idp=${idp}${hash}` });
  if (maxAge !== null) query.set('max_age', maxAge);
  return address(`/v1/sign_in/${idp}?${query}`);
}

/** The address where a person creates a passkey, by a new sign-in or an older passkey; null for all others. */
export function passkeyAddress() {
  const method = me?.session?.method;
  if (method === 'passkey') return '#/passkey';
  return method === 'issuer' ? signInAddress('#/passkey', 300) : null;
}

/* The page to return to after a session ended or a passkey was created. The address by which the user returns does not carry it. */
const WAS_AT = 'governance-was-at';
export function keepPlace(hash) {
  try {
    if (hash) sessionStorage.setItem(WAS_AT, hash);
    else sessionStorage.removeItem(WAS_AT);
  } catch {
    // Without storage, the user returns to the queue.
  }
}
export function keptPlace() {
  try {
    return sessionStorage.getItem(WAS_AT);
  } catch {
    return null;
  }
}

/* Answers that do not change while a page is open are fetched once. */
const kept = new Map();
export function known(path) {
  if (!kept.has(path)) {
    const asked = get(path);
    kept.set(path, asked);
    asked.catch(() => kept.delete(path));
  }
  return kept.get(path);
}
/* Active halts as this page last read them. The event `halts` says that they were read again. */
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
 * Live updates. The tab that holds the lock has the browser's one stream and tells the other tabs. A tab that was hidden
 * for half a minute releases the lock. Without a stream, the tab tells them every three seconds.
 */
const STREAM = '/v1/events/stream?include=plans,actions&event_type=plan.*,action.*';
const HIDDEN = 30_000;
const POLL = 3_000;
const AGAIN = 60_000;

const tabs = new BroadcastChannel('governance-console');
let letGo = null;
let hidden = 0;
let soon = 0;

/** Announces a burst of changes once. */
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

/** Follows the stream until the lock is released. */
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

/** Stops following and drops pending changes, so that nothing more is shown after a sign-out. */
export function rest() {
  leave();
  clearTimeout(soon);
  soon = 0;
}

export function live() {
  leave();
  lead();
}

/** Tells the other tabs who is signed in now. They share the cookie, so they would act as a principal they do not show. */
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
