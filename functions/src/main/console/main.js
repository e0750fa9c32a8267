/* The frame around all screens: who is signed in, where one can go, and the switch that stops everything. */
import { html, nothing } from 'lit';
import {
  all, announce, can, digits, forget, get, halts, keepPlace, keptPlace, live, lookForHalts, passkeyAddress, rest, send, signedIn, who,
} from './api.js';
import { ask, fresh, steady, tell } from './ask.js';
import { ago, icon, ID, own, page, principal, refusal, reveal, View } from './words.js';
import './approvals.js';

/* Screens beside the first come when they are opened. */
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

/** How often an open page looks whether anything is halted, of which no stream tells, in milliseconds. */
const LOOK_AGAIN = 10_000;

/* What belongs together stands together: a fifth part says that a place begins a group. */
const PLACES = [
  ['approvals', 'Approvals', 'inbox', ['plans:read']],
  ['activity', 'Activity', 'pulse', ['plans:read']],
  ['operators', 'Agents', 'robot', ['operators:read'], true],
  ['connectors', 'Connectors', 'plug', ['connectors:read']],
  ['approval_defaults', 'Who approves', 'agree', ['operators:read']],
  ['halts', 'Halts', 'stop', ['halts:read']],
  ['people', 'People', 'person', ['people:read'], true],
  ['identity_providers', 'Sign-in', 'door', ['people:read']],
  ['sessions', 'Sessions', 'screen', []],
  ['keys', 'Keys', 'key', ['keys:read']],
  ['webhook_endpoints', 'Webhooks', 'hook', ['webhooks:read'], true],
  ['channels', 'Channels', 'bell', ['webhooks:read']],
  ['allowance', 'Allowance', 'gauge', ['billing:read']],
];
/* On a phone these are at the thumb; the rest is behind More. */
const THUMB = 3;
const ABOVE = { plans: 'approvals', guardrails: 'operators', events: 'activity', requests: 'activity', chains: 'activity', actions: 'activity', receipts: 'activity', decisions: 'activity' };

const press = (key) => window.dispatchEvent(new CustomEvent('pressed', { detail: key }));

/** A part of an address as it is meant; as it is, where it means nothing. */
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
   * A ticket that is opened over a page leads back to it, whether or not that has told yet that its session is over, and so does
   * making a passkey.
   */
  moved(from) {
    const making = location.hash === '#/passkey';
    if (!making && !TICKET.test(location.hash)) return this.go();
    if (this.state === 'in') keepPlace(new URL(from).hash);
    return this.begin();
  }

  /**
   * Signs in by what the address holds, if it holds it, and goes on where it says.
   *
   * @param opening whether this page has just been loaded
   */
  async begin(opening = false) {
    const asked = new URLSearchParams(location.search).get('plan');
    const ticket = TICKET.exec(location.hash)?.[1];
    if (ticket) {
      // Gone from the address, and so from the history, before anything else happens.
      history.replaceState(null, '', location.pathname + location.search);
    }
    if (asked && ID.test(asked) && !location.hash) {
      history.replaceState(null, '', `${location.pathname}#/plans/${asked}`);
    }
    await (ticket ? this.offered(ticket, opening) : this.enter());
  }

  /**
   * Asks before a ticket signs the browser in: anybody can make a link to one, of whatever tenant. There is no question only
   * where the user opened this page with it, on a local stack, and nobody is signed in here.
   */
  async offered(written, opening) {
    // What was asked by who was signed in before says nothing of who comes now.
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

  /** @param refused what was refused of a ticket */
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
      // Who shows no session has not been signed in, so that nothing has ended.
      await this.signedOut(refused ?? (e.status === 401 ? null : e), e.details?.reason ? e : null);
    }
  }

  /** Nobody knows who this is, since the service does not say it now. It is asked again, and halts all the same. */
  stranded(refused) {
    this.put({ state: 'stranded', refused });
    clearTimeout(this.again);
    this.again = setTimeout(() => this.state === 'stranded' && this.begin(), Math.max(LOOK_AGAIN, (refused.retryAfter ?? 0) * 1000));
  }

  /**
   * @param refused what was refused of a sign-in
   * @param ended what told that somebody is signed in no longer, who did not sign out
   */
  async signedOut(refused = null, ended = null) {
    if (this.state === 'out' && !refused) return;
    const left = this.leaving;
    this.leaving = false;
    rest();
    await import('./signin.js');
    // Of several that were refused at once, the first has told.
    if (this.state === 'out' && !refused) return;
    // A browser has forgotten a session by the time it is over, and shows none that the service could tell of.
    const over = Date.parse(who()?.session?.expires_at) <= Date.now();
    // At once: what is drawn in between still takes it that somebody is signed in.
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

  /** What the frame shows of what happens: how much waits, and what is halted. */
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

  /** A halt is made elsewhere, and nothing else need happen after it: it is looked for again, however this ends. */
  async watchHalts() {
    if (this.state !== 'in' || this.leaving || !can('halts:read')) return;
    this.watchHaltsLater();
    await lookForHalts();
  }

  watchHaltsLater() {
    clearTimeout(this.haltsAgain);
    // What fails is tried again, and whatever is done here meanwhile is refused by the service.
    if (!document.hidden) this.haltsAgain = setTimeout(() => this.watchHalts().catch(() => {}), LOOK_AGAIN);
  }

  title() {
    const place = PLACES.find(([name]) => name === (own(ABOVE, this.at) ?? this.at))?.[1] ?? 'Console';
    const count = this.waiting ? `(${this.waiting}${this.more ? '+' : ''}) ` : '';
    document.title = `${count}${place} · Action Governance`;
  }

  /** What decides is pressed when the key that was pressed here, in a window that had been looked at for a second, is let go of. */
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
    else if (text.trim()) tell('That is no id of a plan, event, action, receipt, request or chain.', 'bad');
    return Boolean(to);
  }

  help() {
    ask({
      title: 'Keys',
      body: html`<dl class="keys">
        ${[
          ['j', 'next plan'],
          ['k', 'plan before'],
          ['a', 'approve the plan that is shown, after a question'],
          ['v', 'veto it'],
          ['/', 'find by an id: pl_ ev_ act_ rc_ req_ co_'],
          ['?', 'this'],
        ].map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}
      </dl>`,
      text: 'An id can also be pasted anywhere.',
      yes: 'Close',
      choice: false,
    });
  }

  async halt() {
    const options = [['tenant:', 'Everything']];
    try {
      if (can('operators:read'))
        for (const one of await all('/v1/operators')) options.push([`operator:${one.id}`, `Agent ${one.name}`]);
      if (can('connectors:read'))
        for (const one of await all('/v1/connectors')) options.push([`connector:${one.id}`, `Connector ${one.name}`]);
    } catch {
      // Everything can be halted all the same.
    }
    const done = await ask({
      title: 'Halt',
      text: 'No call begins from one second after this on. Plans are still proposed and held, and their time stands still.',
      fields: [
        { name: 'target', label: 'What?', kind: 'choice', needed: true, options },
        { name: 'reason', label: 'Why?', needed: true },
      ],
      yes: 'Halt',
      danger: true,
      work: ({ target, reason }, key) => {
        const [scope, id] = target.split(':');
        return send('POST', '/v1/halts', { scope, id: id || null, reason }, key);
      },
    });
    if (!done) return;
    if (this.state === 'stranded') tell('Halted. No call begins any more.', 'ok');
    window.dispatchEvent(new Event('changed'));
  }

  async lift(halt) {
    const done = await ask({
      title: 'Lift this halt',
      body: html`<p>“${reveal(halt.reason)}”</p>`,
      text: 'What was claimed goes on at once. What waits for approval gets its time back.',
      fields: [{ name: 'reason', label: 'Why is it safe again?', needed: true }],
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
          <p>The service does not say now who you are. You can halt without that; the rest comes by itself once it answers.</p>
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
    return html`<a class="skip" href="#main" @click=${this.skip}>To the content</a>
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
      <nav class="places" aria-label="Places">
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

  /** Tenant, mode and who is signed in: on every screen, so that nobody decides in another tenant than they think. */
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
      ${passkey ? html`<button type="button" class="quiet" @click=${() => this.makePasskey(passkey)}>${icon('key')} ${me.passkeys.length ? 'Another passkey' : 'Make a passkey'}</button>` : nothing}
      <button type="button" class="quiet" @click=${() => this.signOut()}>${icon('out')} Sign out</button>
    </div>`;
  }

  halted(halt) {
    const what = { tenant: 'Everything is halted', operator: 'An agent is halted', connector: 'A connector is halted' }[halt.scope];
    return html`<div class="halted" role="alert">
      ${icon('stop')}
      <div>
        <p><b>${what}.</b> “${reveal(halt.reason)}”</p>
        <p class="small">${halt.halted_by_principal ? principal(halt.halted_by_principal) : reveal(halt.halted_by ?? '')} · ${ago(halt.halted_at)}${halt.target_id ? html` · <a href=${page(halt.target_id)}>which</a>` : nothing}</p>
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
