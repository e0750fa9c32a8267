/* The frame around all screens: the signed-in principal, the navigation and the kill switch. */
import { html, nothing } from 'lit';
import {
  all, announce, can, digits, forget, get, halts, keepPlace, keptPlace, live, lookForHalts, passkeyAddress, rest, send, signedIn, who,
} from './api.js';
import { ask, fresh, steady, tell } from './ask.js';
import { ago, icon, ID, own, page, principal, refusal, reveal, View } from './words.js';
import './approvals.js';

/* All screens but the first are loaded when they are opened. */
const SCREENS = {
  activity: [() => import('./activity.js'), (id) => html`<gov-activity .of=${id}></gov-activity>`],
  events: [() => import('./activity.js'), (id) => html`<gov-chain kind="events" .of=${id}></gov-chain>`],
  requests: [() => import('./activity.js'), (id) => html`<gov-chain kind="requests" .of=${id}></gov-chain>`],
  chains: [() => import('./activity.js'), (id, from) => html`<gov-chain kind="chains" .of=${id} .from=${from}></gov-chain>`],
  guardrails: [() => import('./guardrails.js'), (id) => html`<gov-guardrails .of=${id}></gov-guardrails>`],
  approval_defaults: [() => import('./policies.js'), () => html`<gov-policies></gov-policies>`],
  login: [() => import('./login.js'), (id) => html`<gov-login .of=${id}></gov-login>`],
  ...Object.fromEntries(
    ['operators', 'connectors', 'webhook_endpoints', 'channels', 'keys', 'people', 'identity_providers', 'sessions', 'allowance', 'halts', 'actions', 'receipts', 'decisions'].map(
      (kind) => [kind, [() => import('./lists.js'), (id) => html`<gov-list .kind=${kind} .of=${id}></gov-list>`]],
    ),
  ),
};

const TICKET = /^#ticket=(.+)$/;
const OVER = { message: 'The session has ended: it reached its maximum duration.', details: { reason: 'expired' } };

/** Milliseconds between two checks for halts, which no stream reports. */
const LOOK_AGAIN = 10_000;

/* The places of the navigation, in groups. A fifth element marks the first place of a group. */
const PLACES = [
  ['approvals', 'Approvals', 'inbox', ['plans:read']],
  ['activity', 'Activity', 'pulse', ['plans:read']],
  ['operators', 'Operators', 'robot', ['operators:read'], true],
  ['connectors', 'Connectors', 'plug', ['connectors:read']],
  ['approval_defaults', 'Approval defaults', 'agree', ['operators:read']],
  ['halts', 'Halts', 'stop', ['halts:read']],
  ['people', 'People', 'person', ['people:read'], true],
  ['identity_providers', 'Sign-in', 'door', ['people:read']],
  ['sessions', 'Sessions', 'screen', []],
  ['keys', 'Keys', 'key', ['keys:read']],
  ['webhook_endpoints', 'Webhooks', 'hook', ['webhooks:read'], true],
  ['channels', 'Channels', 'bell', ['webhooks:read']],
  ['allowance', 'Usage', 'gauge', ['billing:read']],
];
/* Number of places in the bar of a phone; the others are under More. */
const THUMB = 3;
const ABOVE = { plans: 'approvals', guardrails: 'operators', events: 'activity', requests: 'activity', chains: 'activity', actions: 'activity', receipts: 'activity', decisions: 'activity' };

const press = (key) => window.dispatchEvent(new CustomEvent('pressed', { detail: key }));

/** A decoded part of an address; the part itself if it cannot be decoded. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

class Console extends View {
  constructor() {
    super();
    this.state = 'starting';
    this.waiting = 0;
    this.halts = [];
    window.addEventListener('hashchange', (e) => this.moved(e.oldURL));
    window.addEventListener('signed-out', (e) => this.signedOut(null, e.detail ?? null));
    window.addEventListener('changed', () => this.watch());
    window.addEventListener('halts', () => this.put({ halts: halts() }));
    document.addEventListener('visibilitychange', () => this.watchHaltsLater());
    window.addEventListener('keydown', (e) => this.key(e));
    window.addEventListener('keyup', (e) => this.keyUp(e));
    window.addEventListener('blur', () => { this.down = null; });
    window.addEventListener('paste', (e) => this.paste(e));
    window.matchMedia('(min-width: 1100px)').addEventListener('change', () => this.requestUpdate());
  }

  connectedCallback() {
    super.connectedCallback();
    this.replaceChildren();
    this.begin(true);
  }

  /**
   * Goes to the new address. Keeps the current page as the one to return to after a ticket or a new passkey, even if the page
   * does not know yet that its session has ended.
   */
  moved(from) {
    const making = location.hash === '#/passkey';
    if (!making && !TICKET.test(location.hash)) return this.go();
    if (this.state === 'in') keepPlace(new URL(from).hash);
    return this.begin();
  }

  /**
   * Signs in by the ticket in the address, if any, and opens the page that the address names.
   *
   * @param opening whether this page has just been loaded
   */
  async begin(opening = false) {
    const asked = new URLSearchParams(location.search).get('plan');
    const ticket = TICKET.exec(location.hash)?.[1];
    if (ticket) {
      // Remove it from the address, and so from the history, before anything else.
      history.replaceState(null, '', location.pathname + location.search);
    }
    if (asked && ID.test(asked) && !location.hash) {
      history.replaceState(null, '', `${location.pathname}#/plans/${asked}`);
    }
    await (ticket ? this.offered(ticket, opening) : this.enter());
  }

  /**
   * Asks before a ticket signs the browser in, because anybody can make a link to one, of any tenant. There is no question only
   * if the user opened this page with it, on a local stack, and nobody is signed in here.
   */
  async offered(written, opening) {
    // Answers for the previous principal must not be shown to the next.
    rest();
    forget();
    this.put({ state: 'starting' });
    try {
      const ticket = decodeURIComponent(written);
      const offer = await send('POST', '/v1/sign_in/tickets/inspect', { ticket });
      const now = await signedIn().catch((e) => {
        if (e.status !== 401) throw e;
      });
      if (!now && opening && document.documentElement.dataset.opened === 'by-hand') return await this.redeem(ticket);
      await import('./signin.js');
      document.title = 'Sign in? · Action Governance';
      this.put({ state: 'asking', offer, now, ticket });
    } catch (e) {
      await this.enter(e);
    }
  }

  async redeem(ticket) {
    rest();
    forget();
    this.put({ state: 'starting' });
    let refused = null;
    try {
      await send('POST', '/v1/sign_in/tickets/redeem', { ticket });
    } catch (e) {
      refused = e;
    }
    await this.enter(refused);
  }

  /** @param refused the refusal of a ticket, if any */
  async enter(refused = null) {
    try {
      const { session } = await signedIn();
      announce();
      const making = location.hash === '#/passkey';
      if (session?.method === 'enrolment' || (making && passkeyAddress())) {
        await import('./passkeys.js');
        document.title = 'Your passkey · Action Governance';
        this.put({ state: 'enrolling', refused });
        return;
      }
      const was = keptPlace();
      if (making || (was && !location.hash)) history.replaceState(null, '', location.pathname + location.search + (was ?? ''));
      keepPlace(null);
      this.put({ state: 'in', refused });
      live();
      this.go();
      this.watch();
    } catch (e) {
      if (e.status !== 401) return this.stranded(refused ?? e);
      // A browser without a session was not signed in, so nothing has ended.
      await this.signedOut(refused ?? (e.status === 401 ? null : e), e.details?.reason ? e : null);
    }
  }

  /** Shows that the service cannot say now who is signed in. The page asks again; halting still works. */
  stranded(refused) {
    this.put({ state: 'stranded', refused });
    clearTimeout(this.again);
    this.again = setTimeout(() => this.state === 'stranded' && this.begin(), Math.max(LOOK_AGAIN, (refused.retryAfter ?? 0) * 1000));
  }

  /**
   * @param refused the refusal of a sign-in, if any
   * @param ended the refusal that ended the session, unless the user signed out
   */
  async signedOut(refused = null, ended = null) {
    if (this.state === 'out' && !refused) return;
    const left = this.leaving;
    this.leaving = false;
    rest();
    await import('./signin.js');
    // If several requests fail at once, only the first counts.
    if (this.state === 'out' && !refused) return;
    // A browser drops the cookie of an expired session, so the service cannot say that it has expired.
    const over = Date.parse(who()?.session?.expires_at) <= Date.now();
    // Immediately: until then, everything is drawn as if the principal were still signed in.
    forget();
    keepPlace(ended && !left ? location.hash : null);
    document.title = 'Sign in · Action Governance';
    this.put({ state: 'out', refused, ended: left || refused ? null : ended && !ended.details?.reason && over ? OVER : ended });
  }

  async go() {
    const [, name = 'approvals', id = null, from = null] = location.hash.split('/');
    const screen = own(SCREENS, name);
    const known = name === 'approvals' || name === 'plans' || name === 'more' || screen;
    await screen?.[0]();
    this.put({ at: known ? name : 'approvals', of: id && decoded(id), from });
    this.title();
    window.scrollTo(0, 0);
    await this.updateComplete;
    document.documentElement.dataset.at = location.hash;
  }

  /** Reads the number of waiting plans and the halts for the frame. */
  async watch() {
    if (this.state !== 'in' || this.leaving) return;
    try {
      const [queue] = await Promise.all([
        can('plans:read') ? get('/v1/plans?status=proposed&waiting_on=approval&limit=100') : null,
        this.watchHalts(),
      ]);
      this.put({ waiting: queue?.data.length ?? 0, more: queue?.has_more, lost: null });
    } catch (e) {
      this.put({ lost: e });
    }
    this.title();
  }

  /** Reads the halts, and schedules the next reading in any case. Others make halts, and no event may follow one. */
  async watchHalts() {
    if (this.state !== 'in' || this.leaving || !can('halts:read')) return;
    this.watchHaltsLater();
    await lookForHalts();
  }

  watchHaltsLater() {
    clearTimeout(this.haltsAgain);
    // A failed reading is repeated. Under a halt, the service refuses approvals in any case.
    if (!document.hidden) this.haltsAgain = setTimeout(() => this.watchHalts().catch(() => {}), LOOK_AGAIN);
  }

  title() {
    const place = PLACES.find(([name]) => name === (own(ABOVE, this.at) ?? this.at))?.[1] ?? 'Console';
    const count = this.waiting ? `(${this.waiting}${this.more ? '+' : ''}) ` : '';
    document.title = `${count}${place} · Action Governance`;
  }

  /** Remembers the press of a deciding key in a window that had the focus for a second. The key acts when it is released. */
  key(e) {
    this.down = null;
    if (e.ctrlKey || e.metaKey || e.altKey || this.state !== 'in' || !fresh(e)) return;
    const typing = e.target.closest?.('input:not([type=checkbox], [type=radio]), textarea, select, dialog');
    if (e.key === 'Escape' && typing?.id === 'find') typing.blur();
    if (typing) return;
    if (e.key === '/') {
      e.preventDefault();
      this.querySelector('#find').focus();
    } else if (e.key === '?') {
      this.help();
    } else if (e.key === 'a' || e.key === 'v') {
      e.preventDefault();
      if (steady()) this.down = e.key;
    } else if (e.key === 'j' || e.key === 'k') {
      e.preventDefault();
      press(e.key);
    }
  }

  keyUp(e) {
    const { down } = this;
    this.down = null;
    if (down && down === e.key && this.state === 'in' && !document.querySelector('dialog[open]')) press(down);
  }

  paste(e) {
    if (e.target.closest?.('input, textarea, select')) return;
    this.find(e.clipboardData.getData('text'));
  }

  find(text) {
    const to = page(text);
    if (to) location.hash = to;
    else if (text.trim()) tell('This is not an id that the console can open.', 'bad');
    return Boolean(to);
  }

  help() {
    ask({
      title: 'Keyboard shortcuts',
      body: html`<dl class="keys">
        ${[
          ['j', 'next plan'],
          ['k', 'previous plan'],
          ['a', 'approve the open plan, after a question'],
          ['v', 'veto the open plan'],
          ['/', 'find by an id: pl_ ev_ act_ rc_ req_ co_'],
          ['?', 'show these shortcuts'],
        ].map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}
      </dl>`,
      text: 'You can also paste an id anywhere on the page.',
      yes: 'Close',
      choice: false,
    });
  }

  async halt() {
    const options = [['tenant:', 'Everything']];
    try {
      if (can('operators:read'))
        for (const one of await all('/v1/operators')) options.push([`operator:${one.id}`, `Operator ${one.name}`]);
      if (can('connectors:read'))
        for (const one of await all('/v1/connectors')) options.push([`connector:${one.id}`, `Connector ${one.name}`]);
    } catch {
      // Halting everything needs no list.
    }
    const done = await ask({
      title: 'Halt',
      text: 'New calls stop within one second. Plans are still proposed and held, and their deadlines pause.',
      fields: [
        { name: 'target', label: 'What to halt', kind: 'choice', needed: true, options },
        { name: 'reason', label: 'Reason', needed: true },
      ],
      yes: 'Halt',
      danger: true,
      work: ({ target, reason }, key) => {
        const [scope, id] = target.split(':');
        return send('POST', '/v1/halts', { scope, id: id || null, reason }, key);
      },
    });
    if (!done) return;
    if (this.state === 'stranded') tell('Halted. New calls stop within one second.', 'ok');
    window.dispatchEvent(new Event('changed'));
  }

  async lift(halt) {
    const done = await ask({
      title: 'Lift this halt?',
      body: html`<p>“${reveal(halt.reason)}”</p>`,
      text: 'Plans and undos that were already claimed continue at once. Plans that are waiting for approval get their time back.',
      fields: [{ name: 'reason', label: 'Why is it safe to lift?', needed: true }],
      yes: 'Lift',
      work: (said, key) => send('POST', `/v1/halts/${halt.id}/lift`, said, key),
    });
    if (!done) return;
    window.dispatchEvent(new Event('changed'));
  }

  makePasskey(address) {
    keepPlace(location.hash);
    location.href = address;
  }

  async signOut() {
    rest();
    this.leaving = true;
    await this.trying(() => send('POST', '/v1/sign_out'));
    window.dispatchEvent(new Event('signed-out'));
  }

  render() {
    if (this.state === 'starting') return html`<p class="loading">Loading …</p>`;
    if (this.state === 'asking')
      return html`<gov-ticket .offer=${this.offer} .now=${this.now} .yes=${() => this.redeem(this.ticket)} .no=${() => this.enter()}></gov-ticket>`;
    if (this.state === 'enrolling') return html`<header>${this.here()}</header><gov-enrol></gov-enrol>`;
    if (this.state === 'out')
      return html`<gov-sign-in .refused=${this.refused} .ended=${this.ended}></gov-sign-in><div class="told" role="status"></div>`;
    if (this.state === 'stranded')
      return html`<header class="top">
          <a class="brand" href="#/approvals">${mark}<span>Action Governance</span></a>
          ${this.haltButton()}
        </header>
        <main id="main" tabindex="-1">
          ${refusal(this.refused)}
          <p>The service cannot say now who you are. You can still halt; the other pages appear once it answers.</p>
        </main>
        <div class="told" role="status"></div>`;
    const here = own(ABOVE, this.at) ?? this.at;
    const places = PLACES.filter(([, , , scopes]) => can(...scopes));
    const item = ([name, said, of, , begins], i) => html`<a
      href="#/${name}"
      class="${i >= THUMB ? 'wide' : ''} ${begins ? 'begins' : ''}"
      aria-current=${here === name ? 'page' : nothing}
      >${icon(of)}<span>${said}</span>${name === 'approvals' && this.waiting
        ? html`<span class="count">${this.waiting}${this.more ? '+' : ''}</span>`
        : nothing}</a
    >`;
    return html`<a class="skip" href="#main" @click=${this.skip}>Skip to the content</a>
      <header class="top">
        ${this.here()}
        <a class="brand" href="#/approvals">${mark}<span>Action Governance</span></a>
        <form role="search" @submit=${(e) => { e.preventDefault(); if (this.find(e.target.id.value)) { e.target.reset(); e.target.id.blur(); } }}>
          ${icon('search')}
          <label class="hidden" for="find">Find by id</label>
          <input id="find" name="id" placeholder="Paste any id" autocomplete="off" spellcheck="false" />
          <kbd>/</kbd>
        </form>
        ${can('halts:write') ? this.haltButton() : nothing}
      </header>
      <nav class="places" aria-label="Main navigation">
        ${places.map(item)}
        <a href="#/more" class="narrow" aria-current=${here === 'more' || PLACES.findIndex(([name]) => name === here) >= THUMB ? 'page' : nothing}>
          ${icon('more')}<span>More</span>
        </a>
        ${this.me('wide')}
      </nav>
      <main id="main" tabindex="-1">
        ${this.halts.map((halt) => this.halted(halt))} ${refusal(this.lost)} ${refusal(this.refused)} ${this.screen(places)}
      </main>
      <div class="told" role="status"></div>`;
  }

  haltButton() {
    return html`<button type="button" class="halt" @click=${() => this.halt()}>${icon('stop')}<span>Halt</span></button>`;
  }

  skip(e) {
    e.preventDefault();
    document.getElementById('main').focus();
  }

  /** Tenant, mode and principal, on every screen, so that nobody decides in the wrong tenant. */
  here() {
    const me = who();
    return html`<p class="here small">
      <b class="mode ${me.mode}">${me.mode}</b>
      <span title=${me.tenant_id}>${reveal(me.tenant_name)} <span class="id muted">${me.tenant_id}</span></span>
      ${me.workspace_id ? html`<span>${reveal(me.workspace_id)}</span>` : nothing}
      <span>${principal(me.principal)}</span>
    </p>`;
  }

  me(kind) {
    const me = who();
    const passkey = passkeyAddress();
    return html`<div class="me ${kind}">
      ${passkey ? html`<button type="button" class="quiet" @click=${() => this.makePasskey(passkey)}>${icon('key')} ${me.passkeys.length ? 'Add a passkey' : 'Create a passkey'}</button>` : nothing}
      <button type="button" class="quiet" @click=${() => this.signOut()}>${icon('out')} Sign out</button>
    </div>`;
  }

  halted(halt) {
    const what = { tenant: 'Everything is halted', operator: 'An operator is halted', connector: 'A connector is halted' }[halt.scope];
    return html`<div class="halted" role="alert">
      ${icon('stop')}
      <div>
        <p><b>${what}.</b> “${reveal(halt.reason)}”</p>
        <p class="small">${halt.halted_by_principal ? principal(halt.halted_by_principal) : reveal(halt.halted_by ?? '')} · ${ago(halt.halted_at)}${halt.target_id ? html` · <a href=${page(halt.target_id)}>show which</a>` : nothing}</p>
      </div>
      ${can('halts:write') ? html`<button type="button" @click=${() => this.lift(halt)}>Lift</button>` : nothing}
    </div>`;
  }

  screen(places) {
    if (this.at === 'more')
      return html`<div class="page">
        <h1>More</h1>
        <ul class="menu">
          ${places.slice(THUMB).map(([name, said, of]) => html`<li><a href="#/${name}">${icon(of)}${said}</a></li>`)}
        </ul>
        ${this.me('')}
      </div>`;
    if (own(SCREENS, this.at)) return SCREENS[this.at][1](this.of, this.from);
    return html`<gov-approvals .open=${this.at === 'plans' ? this.of : null}></gov-approvals>`;
  }
}

const mark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
  <rect width="32" height="32" rx="9" />
  <path d="M9 16.5l5 5 9-11" />
</svg>`;

customElements.define('gov-console', Console);
