/* Shared texts and components: one word and one form for each idea, on every screen. */
import { LitElement, html, nothing, render } from 'lit';
import { address, digits, isNumber } from './api.js';

/** Pixels at the top of the screen that the frame and a note below it cover. */
const COVERED = 160;

/** A component without a shadow root, so that the one stylesheet applies. */
export class View extends LitElement {
  createRenderRoot() {
    return this;
  }

  /**
   * Draws the component. If that fails, an error replaces all its content, so that nobody takes a partial or an earlier page
   * for this one. An event tells the components around it.
   */
  performUpdate() {
    if (!this.isUpdatePending) return;
    if (this.broken) this.wipe();
    this.broken = null;
    try {
      super.performUpdate();
    } catch (e) {
      console.error(e);
      this.fail(e);
      this.dispatchEvent(new CustomEvent('not-shown', { bubbles: true, detail: e }));
    }
  }

  fail(e) {
    this.broken = e;
    this.wipe();
    render(this.failed(e), this);
  }

  /** The error that is shown if drawing fails. */
  failed(e) {
    return html`<div class="note bad" role="alert">${icon('cross')}<div><p><b>This part of the page cannot be shown.</b></p><p class="small">${reveal(e.message)}</p></div></div>`;
  }

  /** Removes all content, and Lit's record of it. */
  wipe() {
    delete this['_$litPart$'];
    this.replaceChildren();
  }

  /** Sets properties and draws again. */
  put(changes) {
    Object.assign(this, changes);
    this.requestUpdate();
  }

  /** Scrolls the outcome of a click into view, if needed. Focuses it if the focused element is gone. */
  async seen(selector) {
    await this.updateComplete;
    const shown = this.querySelector(selector);
    if (!shown) return;
    // The content below it must be visible too.
    const { top } = shown.getBoundingClientRect();
    if (top < COVERED || top > window.innerHeight / 2) shown.scrollIntoView();
    if (document.activeElement === document.body) shown.focus({ preventScroll: true });
  }

  /** Does work that the service may refuse, and shows the refusal. */
  async trying(work) {
    try {
      return await work();
    } catch (e) {
      if (e.status === undefined) throw e;
      if (e.status !== 401) this.put({ refused: e });
      return undefined;
    }
  }
}

/*
 * Characters that are invisible or change the direction of text: control characters, direction marks, joiners and blanks other
 * than spaces. Also marks beyond the fourth over or under one letter, which paint over the lines around them.
 */
const UNSEEN =
  /([\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u2800]|(?! )\p{Zs}|(?<=\p{M}{4})\p{M})/u;
const NAMES = {
  '200b': 'zero width space',
  '200c': 'zero width non-joiner',
  '200d': 'zero width joiner',
  '200e': 'left-to-right mark',
  '200f': 'right-to-left mark',
  '202a': 'left-to-right embedding',
  '202b': 'right-to-left embedding',
  '202c': 'pop directional formatting',
  '202d': 'left-to-right override',
  '202e': 'right-to-left override',
  '2066': 'left-to-right isolate',
  '2067': 'right-to-left isolate',
  '2068': 'first strong isolate',
  '2069': 'pop directional isolate',
  '00a0': 'no-break space',
  '00ad': 'soft hyphen',
  feff: 'zero width no-break space',
};
const MARK = 'an invisible character, or one mark too many on a letter';

/** The entry of a table of words; undefined for names that every object has, such as `constructor`. */
export const own = (table, name) => (Object.hasOwn(table, name) ? table[name] : undefined);

/** A foreign text, unchanged except that invisible characters are shown. */
export function reveal(text) {
  const parts = plain(text).split(UNSEEN);
  const shown = parts.map((part, at) => {
    if (at % 2 === 0) return part;
    if (part === '\n' || part === '\t') return part;
    const point = part.codePointAt(0).toString(16).padStart(4, '0');
    return html`<span class="unseen" title=${own(NAMES, point) ?? MARK}>[U+${point.toUpperCase()}]</span>`;
  });
  return html`<bdi class="text">${shown}</bdi>`;
}

const LONG = 1200;

/** A foreign text as `reveal` shows it, in a box of its own if it is long. */
export function long(text) {
  const said = plain(text);
  return said.length > LONG
    ? html`<div class="long" tabindex="0" role="region" aria-label="Long text">${reveal(said)}</div>
        <p class="small muted">${said.length.toLocaleString('en')} characters, all shown above.</p>`
    : reveal(said);
}

/** The type of an event or delivery in words, with the original as a tooltip. */
export const named = (type) => html`<span title=${type}>${reveal(words(type))}</span>`;
function words(type) {
  if (!/^[\w.*-]+$/.test(type)) return type;
  const parts = type.replaceAll('_', ' ').split('.');
  if (parts.every((part) => part === '*')) return 'everything';
  const said = parts.map((part) => (part === '*' ? 'any' : part));
  return parts.at(-1) === '*' ? `any ${said.slice(0, -1).join(' ')} event` : said.join(' ');
}

/** A JSON value as text. Values that JSON does not have, such as `undefined`, become text too. */
export function plain(value) {
  if (typeof value === 'string') return value;
  if (isNumber(value)) return digits(value);
  return JSON.stringify(value) ?? String(value);
}

/** A name in a path. It is in quotes if it could be read as several names, as an item or as nothing. */
const BARE = /^[^\s/"[\]](?:[^/"[\]]*[^\s/"[\]])?$/;
const called = (name) => (BARE.test(name) ? name : JSON.stringify(name));

/** Arguments as flat rows, one for each value, by path: `lines / [0] / amount`. No two values have the same path. */
export function rows(value, at = '') {
  if (value === null || typeof value !== 'object' || isNumber(value)) return [[at, value]];
  const inner = Object.entries(value);
  if (!inner.length) return [[at, value]];
  const step = Array.isArray(value) ? (name) => `[${name}]` : called;
  return inner.flatMap(([name, part]) => rows(part, at === '' ? step(name) : `${at} / ${step(name)}`));
}

/** A value as text; blank text is in quotes. */
const visible = (value) => (typeof value === 'string' && !value.trim() ? JSON.stringify(value) : plain(value));

export function table(value, caption) {
  return html`<table class="args">
    <caption class="hidden">${caption}</caption>
    <tbody>
      ${rows(value).map(
        ([name, part]) =>
          html`<tr>
            <th scope="row">${reveal(name)}</th>
            <td class=${typeof part === 'string' && part.trim() ? '' : 'kind'}>${long(visible(part))}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/* Exact decimal numbers: `units` times ten to the power of minus `scale`. */
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
function decimal(text) {
  const [, sign, whole, part = '', power = '0'] = DECIMAL.exec(text);
  const scale = part.length - Number(power);
  return scaled({ units: BigInt(sign + whole + part), scale }, Math.max(scale, 0));
}
const scaled = ({ units, scale }, to) => ({ units: units * 10n ** BigInt(to - scale), scale: to });
const aligned = (one, other) => [one, other].map((each) => scaled(each, Math.max(one.scale, other.scale)).units);
const compare = (one, other) => {
  const [a, b] = aligned(decimal(one), decimal(other));
  return a < b ? -1 : a > b ? 1 : 0;
};
function add(one, other) {
  const [a, b] = [decimal(one), decimal(other)];
  const scale = Math.max(a.scale, b.scale);
  const [c, d] = aligned(a, b);
  const text = String(c + d < 0n ? -(c + d) : c + d).padStart(scale + 1, '0');
  return `${c + d < 0n ? '-' : ''}${text.slice(0, text.length - scale)}${scale ? `.${text.slice(-scale)}` : ''}`;
}

/** A number as its author wrote it, never rounded: 42.00 if one of these places writes it so. */
function written(value, places) {
  const said = digits(value);
  return (
    places
      .filter((place) => typeof place === 'string' || isNumber(place))
      .flatMap((place) => plain(place).match(/(?<![\w.-])\d+(\.\d+)?(?![\w-]|\.\d)/g) ?? [])
      .find((found) => compare(found, said) === 0) ?? said
  );
}

const CODE = /^[A-Za-z]{3}$/;
/** A currency for display. A proposer may send any text; text that is not a code of three letters stays unchanged, in quotes. */
const currencyOf = (text) => (CODE.test(text) ? text.toUpperCase() : JSON.stringify(text));
const money = (sum, currency) => (currency === null || currency === undefined ? `${sum}` : `${sum} ${currencyOf(currency)}`);

/** An amount with its currency; null if there is none. */
export const amount = (value, currency, ...places) =>
  value === null || value === undefined ? null : money(written(value, places), currency);

/** The texts of an action that may contain its value. */
const places = (action) => [action.summary, ...Object.values(action.args ?? {})];

/** The value of an action, with its currency; null if it has none. */
export const valueOf = (action) => amount(action.value, action.currency, ...places(action));

const CLAIMED = html`<span class="warn-text small">claimed by the proposer</span>`;
/* Sums of money have two decimals, not one. */
const hundredths = (sum, currency) => (currency && /\.\d$/.test(sum) ? `${sum}0` : sum);
const total = ({ currency, sum, claimed }) => html`<span class="total">${reveal(money(hundredths(plain(sum), currency), currency))}${claimed ? html` ${CLAIMED}` : nothing}</span>`;

/** Sums, one for each currency. */
const totals = (values) =>
  values.map((one, i) => {
    const alike = values.some(({ currency }) => currency !== one.currency && currency?.toLowerCase() === one.currency?.toLowerCase());
    return html`${i ? html`<span class="muted"> + </span>` : nothing}${total(one)}${alike ? html` <span class="muted">(${reveal(one.currency)})</span>` : nothing}`;
  });

/** Exact sums of actions, one for each currency, and whether any is only claimed. Values below zero have sums of their own. */
function sums(actions) {
  const found = new Map();
  for (const action of actions.filter(hasValue)) {
    const currency = action.currency ?? null;
    const value = written(action.value, places(action));
    const of = JSON.stringify([currency, value.startsWith('-')]);
    const before = found.get(of);
    const claimed = ['value', 'currency'].some((field) => action.claimed?.includes(field));
    found.set(of, { currency, sum: before ? add(before.sum, value) : value, claimed: claimed || Boolean(before?.claimed) });
  }
  return [...found.values()];
}

const hasValue = (action) => action.value !== null && action.value !== undefined;

/** The total of actions, and the number of actions without a value; null if no action has one. */
export function totalOf(actions) {
  const without = actions.filter((action) => !hasValue(action)).length;
  if (without === actions.length) return null;
  return html`${totals(sums(actions))}${without ? html` <span class="warn-text small">and ${without} without a value</span>` : nothing}`;
}

/** Returns the times at which a guardrail matches, as lines; what the service did not check is shown as it is. */
export const times = (within) => [
  ...(within?.weekly ?? []).map(({ days, from, to }) => html`${reveal([days ?? []].flat().join(', '))} ${reveal(plain(from))} to ${reveal(plain(to))}, ${reveal(plain(within.zone))}`),
  ...(within?.between ?? []).map(({ from, until }) => html`${reveal(plain(from))} until ${reveal(plain(until))}`),
];

/** Returns whether an action is refused even if approved, as things are, or has no request that can be shown. */
export const refusedAnyway = ({ verdict, call }) => verdict.decision === 'BLOCK' || verdict.reason === 'tool_changed' || call === null;

/** Sorts the highest tier first, then the highest value. */
export const byWeight = (one, other) =>
  other.verdict.tier - one.verdict.tier || compare(digits(other.value ?? 0), digits(one.value ?? 0));

export const TIERS = ['read-only', 'reversible', 'side effect', 'irreversible'];
export const tier = (number) =>
  number === null || number === undefined
    ? nothing
    : html`<span class="pill tier-${number}">${number >= 3 ? icon('alert') : nothing}Tier ${number} · ${TIERS[number] ?? ''}</span>`;

const WORDS = {
  ALLOW: ['ok', 'Allowed'],
  ALERT: ['warn', 'Approval required'],
  BLOCK: ['bad', 'Blocked'],
  DEDUP: ['muted', 'Already applied'],
  applied: ['ok', 'Applied'],
  'partly applied': ['warn', 'Partly applied'],
  'not applied': ['bad', 'Not applied'],
  executed: ['ok', 'Executed'],
  refused: ['bad', 'Refused'],
  failed: ['bad', 'Failed'],
  unknown: ['warn', 'Unknown'],
  vetoed: ['bad', 'Vetoed'],
  expired: ['muted', 'Expired'],
  skipped: ['muted', 'Skipped'],
  deduplicated: ['muted', 'Already applied'],
  proposed: ['warn', 'Waiting'],
  voted: ['ok', 'Voted'],
  withdrawn: ['muted', 'Withdrawn'],
  halted: ['bad', 'Halted'],
  lifted: ['ok', 'Lifted'],
  changed: ['muted', 'Changed'],
  active: ['ok', 'Active'],
  connected: ['ok', 'Connected'],
  degraded: ['warn', 'Degraded'],
  error: ['bad', 'Error'],
  pending_auth: ['warn', 'Needs authorisation'],
  paused: ['warn', 'Paused'],
  draft: ['muted', 'Draft'],
  archived: ['muted', 'Archived'],
  disabled: ['muted', 'Disabled'],
  invited: ['muted', 'Invited'],
  suspended: ['bad', 'Suspended'],
  revoked: ['muted', 'Revoked'],
  delivered: ['ok', 'Delivered'],
  pending: ['warn', 'Pending'],
  within: ['ok', 'Within the included actions'],
  over: ['muted', 'More than the included actions'],
  capped: ['muted', 'Hard cap reached'],
};
const SIGNS = { ok: 'check', warn: 'hand', bad: 'cross', muted: 'dot' };

/** A status as a word, a sign and a colour; never a colour alone. */
export function pill(word) {
  if (!word) return nothing;
  const [kind, said] = own(WORDS, word) ?? ['muted', reveal(plain(word).replaceAll('_', ' '))];
  return html`<span class="pill ${kind}">${icon(SIGNS[kind])}${said}</span>`;
}

/** A row of a list of plans. A row that cannot be drawn says so and leaves the others in place. */
export function rowOf(plan, draw) {
  try {
    return draw(plan);
  } catch (e) {
    console.error(e);
    return html`<li><a href="#/plans/${plan.id}" data-plan=${plan.id} class="plan-row"><span class="bad-text">This plan cannot be shown.</span> <span class="id">${plan.id}</span></a></li>`;
  }
}

/** The outcome of an executed plan. Only a plan that ran as a whole is called applied. */
function outcome(counts) {
  const { applied, refused, failed, unknown, deduplicated, skipped } = Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, Number(digits(count))]),
  );
  if (unknown) return 'unknown';
  if (!(refused + failed + skipped)) return applied ? 'applied' : 'deduplicated';
  if (applied + deduplicated) return 'partly applied';
  if (refused && failed) return 'not applied';
  return failed ? 'failed' : 'refused';
}

/** The state of a plan: the reason that it waits, or its outcome. */
export function state(plan) {
  if (plan.status === 'proposed' && plan.waiting_on !== 'approval')
    return html`<span class="pill muted">${icon('dot')}${plan.waiting_on ? `Waiting for ${plan.waiting_on}` : 'Running'}</span>`;
  if (plan.status === 'proposed') return html`<span class="pill warn">${icon('hand')}Waiting for approval</span>`;
  if (plan.status !== 'executed') return pill(plan.status);
  return pill(outcome(plan.outcomes));
}

/** The headline of a plan in a list: its first action, the number of others that may run, and their total. */
export function headline(plan) {
  return html`<span class="row between top">
    <span class="summary">${reveal(plan.summary)}${plan.summaries_more ? html` <span class="muted">and ${digits(plan.summaries_more)} more</span>` : nothing}</span>
    ${plan.values.length
      ? html`<span class="value">${totals(plan.values.map((one) => ({ ...one, sum: written(one.sum, [plan.summary]) })))}</span>`
      : nothing}
  </span>`;
}

const WINDOWS = { 60: 'a minute', 3600: 'an hour', 86400: 'a day', 604800: 'a week' };
const hour = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const DAY = 86_400_000;

/** The limit that decided, and its use: at most 1 a day for order 7: 1 used since 06:47. */
export function limitSaid({ per, kind, window_seconds, key, used, of, since, countable }) {
  const seconds = digits(window_seconds);
  const window = own(WINDOWS, seconds) ?? `in ${span(Number(seconds))}`;
  const whose = key ? (per === 'entity' ? key.replace(':', ' ') : key) : `the ${per}`;
  const from = since && (Date.now() - new Date(since) < DAY ? hour.format(new Date(since)) : when(since));
  return html`at most ${digits(of)}${kind === 'value' ? ' in value' : ''} ${window} for ${reveal(whose)}: ${digits(used)} used${from ? ` since ${from}` : ''}${countable === false
    ? '; this action cannot be counted, because a value or entity, its own or that of an earlier action of the plan, is missing, below zero or only claimed by the proposer'
    : ''}`;
}

/** A principal, as the service knows it. */
export function principal(one) {
  if (!one) return nothing;
  const kinds = { key: 'key', person: 'person', agent: 'agent', operator: 'operator' };
  const claimed = one.claimed_as && one.claimed_as !== one.name;
  return html`<span class="who"
    ><span class="muted">${own(kinds, one.type) ?? ''}</span> ${reveal(one.name ?? one.id)}${one.verified
      ? html` <span class="small ok-text" title="Verified: ${one.method}">verified</span>`
      : nothing}${claimed ? html` <span class="muted">under the name</span> ${reveal(one.claimed_as)}` : nothing}</span
  >`;
}

const UNITS = [
  ['d', 86400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
];
export function span(seconds) {
  const at = UNITS.findIndex(([, size]) => seconds >= size);
  if (at < 0) return '0 s';
  const [unit, size] = UNITS[at];
  const first = Math.floor(seconds / size);
  const next = UNITS[at + 1];
  const rest = next ? Math.floor((seconds % size) / next[1]) : 0;
  return `${first} ${unit}${rest && first < 10 ? ` ${rest} ${next[0]}` : ''}`;
}

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
export const when = (at) => (at ? clock.format(new Date(at)) : '');

/** A time relative to now, which updates every second. */
class Time extends View {
  static properties = { at: { attribute: false }, left: { type: Boolean }, said: { attribute: false } };

  connectedCallback() {
    super.connectedCallback();
    this.tick = setInterval(() => this.requestUpdate(), 1000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.tick);
  }

  render() {
    if (!this.at) return nothing;
    const seconds = (new Date(this.at) - Date.now()) / 1000;
    if (!this.left) {
      const past = Math.max(0, -seconds);
      return html`<time datetime=${this.at} title=${when(this.at)}>${past < 5 ? 'just now' : `${span(past)} ago`}</time>`;
    }
    const kind = seconds < 300 ? 'bad-text' : seconds < 3600 ? 'warn-text' : '';
    return html`<time class=${kind} datetime=${this.at} title=${when(this.at)}
      >${seconds <= 0 ? 'expired' : `${this.said}${span(seconds)}`}</time
    >`;
  }
}
customElements.define('gov-time', Time);
export const ago = (at) => html`<gov-time .at=${at}></gov-time>`;
export const left = (at, said = '') => html`<gov-time left .said=${said} .at=${at}></gov-time>`;

/* The page of each kind of id. */
const PAGES = {
  pl: 'plans',
  ev: 'events',
  act: 'actions',
  rc: 'receipts',
  apr: 'decisions',
  req: 'requests',
  co: 'chains',
  op: 'operators',
  cn: 'connectors',
  key: 'keys',
  per: 'people',
  idp: 'identity_providers',
  whk: 'webhook_endpoints',
  chn: 'channels',
  hlt: 'halts',
};
export const ID = /^([a-z]{2,4})_[0-9a-hjkmnp-tv-z]{26}$/;
export function page(id) {
  const said = typeof id === 'string' ? id.trim() : '';
  const kind = ID.exec(said)?.[1];
  return kind && own(PAGES, kind) ? `#/${PAGES[kind]}/${said}` : null;
}
export const link = (id, said) =>
  id
    ? page(id)
      ? html`<a href=${page(id)} class=${said ? '' : 'id'}>${said ?? id}</a>`
      : html`<span class="id">${said ?? id}</span>`
    : nothing;

async function copy(text, button) {
  await navigator.clipboard.writeText(text);
  const before = button.textContent;
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = before;
  }, 1500);
}

/** An object as JSON, and the request that returns it. */
export function raw(path, object) {
  const curl = `curl -s '${address(path)}' -H "Authorization: Bearer $KEY"`;
  const json = JSON.stringify(object, null, 2);
  return html`<details class="raw">
    <summary>JSON and curl</summary>
    <div class="row">
      <button type="button" class="quiet" @click=${(e) => copy(json, e.currentTarget)}>Copy JSON</button>
      <button type="button" class="quiet" @click=${(e) => copy(curl, e.currentTarget)}>Copy curl</button>
    </div>
    <pre tabindex="0" aria-label="Request">${curl}</pre>
    <pre tabindex="0" aria-label="JSON">${reveal(json)}</pre>
  </details>`;
}

/** A refusal, with the code and request id to quote in a question about it. */
export const refusal = (refused) =>
  refused
    ? html`<div class="note bad" role="alert">
        ${icon('cross')}
        <div>
          <p>${reveal(refused.message)}</p>
          <p class="small muted">
            ${refused.code}${refused.requestId ? html` · ${link(refused.requestId)}` : nothing}
          </p>
        </div>
      </div>`
    : nothing;

export const loading = html`<p class="muted loading" role="status">Loading …</p>`;

/** An empty list, with the command that makes its first object. */
export const empty = (title, text, command) =>
  html`<div class="empty">
    <h2>${title}</h2>
    <p>${text}</p>
    ${command ? copied(command) : nothing}
  </div>`;

/** A command with a button that copies it. */
export const copied = (command) => html`<pre tabindex="0" aria-label="Command">${command}</pre>
  <button type="button" class="quiet" @click=${(e) => copy(command, e.currentTarget)}>Copy</button>`;

export const api = (path, body) =>
  `curl -s ${address(path)} -H "Authorization: Bearer $KEY" \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;

const ICONS = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M7 7l10 10M17 7L7 17',
  hand: 'M12 7v6M12 16.5v.5M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18',
  dot: 'M8 12h8',
  alert: 'M12 9v4M12 16.5v.5M12 4L3 19.5h18z',
  inbox: 'M4 13l2.5-8h11L20 13v6H4zM4 13h5l1.5 3h3L15 13h5',
  pulse: 'M3 12h4l3-7 4 14 3-7h4',
  shield: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6z',
  plug: 'M9 3v5M15 3v5M6 8h12v4a6 6 0 0 1-12 0zM12 18v3',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 21h4',
  key: 'M13.5 13.5a5 5 0 1 1 2-2L21 17v3h-3.5v-2.5H15V15zM9 9v.01',
  hook: 'M14 6h6v6M20 6l-8 8M10 6H5v13h13v-5',
  agree: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 19c.5-3.5 3-5 6.5-5 1.5 0 2.8.3 3.8.9M14.5 18l2.5 2.5 4.5-5',
  door: 'M13 4h7v16h-7M4 12h10M10 8l4 4-4 4',
  screen: 'M3 5h18v11H3zM9 20h6M12 16v4',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 20c1-4 4-6 8-6s7 2 8 6',
  gauge: 'M4 18a9 9 0 1 1 16 0M12 14l4-5',
  more: 'M4 7h16M4 12h16M4 17h16',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M16.5 16.5L21 21',
  stop: 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM9 12h6',
  back: 'M15 5l-7 7 7 7',
  robot: 'M12 3v4M6 7h12v11H6zM3 12v3M21 12v3M9.5 12v.5M14.5 12v.5',
  out: 'M14 4h6v16h-6M4 12h11M11 8l4 4-4 4',
};
export const icon = (of) =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[of]} /></svg>`;
