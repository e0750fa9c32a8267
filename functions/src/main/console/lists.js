/* Lists of operators, connectors, webhooks, channels, keys and more; the usage; and any single object with all its fields. */
import { html, nothing } from 'lit';
import { all, can, digits, get, isNumber, send } from './api.js';
import { ask, tell } from './ask.js';
import { buttons, makeKey, makePerson, person, state as stateOf } from './people.js';
import { ago, api, empty, icon, ID, link, loading, long, named, own, pill, plain, principal, raw, refusal, reveal, rows, tier, View, when } from './words.js';

const column = (title, of) => ({ title, of });

/** The status of an object, and its reason. */
const state = (one) => html`${pill(one.status)}${one.status_reason ? html`<br /><span class="small">${reveal(one.status_reason)}</span>` : nothing}`;

const PROPOSERS = { scripted: 'script', bedrock: 'model on Bedrock', openai_compatible: 'OpenAI-compatible model' };

const UNITS = { minute: 'minute', minutes: 'minutes', hour: 'hour', hours: 'hours', day: 'day', days: 'days' };

/** The triggers of an operator, in words. */
function watches({ event_types = [], sources = [], schedule }) {
  const found = [];
  if (event_types.length || sources.length)
    found.push(html`${event_types.length ? event_types.map((type, i) => html`${i ? ', ' : ''}${named(type)}`) : 'every event'}${sources.length ? html` <span class="muted">from</span> ${reveal(sources.join(', '))}` : nothing}`);
  if (schedule) {
    const [, count, unit] = /^rate\((\d+) (\w+)\)$/.exec(schedule) ?? [];
    found.push(own(UNITS, unit) ? html`every ${count === '1' ? '' : `${count} `}${unit}` : html`on schedule, UTC: <code>${reveal(schedule)}</code>`);
  }
  return found.length ? found.map((one) => html`<div>${one}</div>`) : html`<span class="muted">none</span>`;
}

const LISTS = {
  operators: {
    title: 'Operators',
    text: 'An operator has triggers, tools, and guardrails that decide on its actions.',
    columns: [
      column('Name', (one) => html`<b>${link(one.id, reveal(one.display_name ?? one.name))}</b>${!one.display_name || one.display_name === one.name ? nothing : html`<br /><span class="small muted">${reveal(one.name)}</span>`}`),
      column('Status', state),
      column('Triggers', (one) => watches(one.triggers)),
      column('Proposer', (one) => own(PROPOSERS, one.model?.provider) ?? 'outside agents'),
      column('Guardrails', (one) => html`<a href="#/guardrails/${one.id}">${one.guardrails.length} ${one.guardrails.length === 1 ? 'guardrail' : 'guardrails'}</a><span class="muted small"> v${digits(one.guardrails_version)}</span>`),
      column('Last plan', (one) => (one.last_plan_at ? ago(one.last_plan_at) : '—')),
    ],
    none: () =>
      empty('No operators yet', 'An operator sets what one proposer may do. Create one:', api('/v1/operators', { name: 'refund-desk', triggers: { event_types: ['order.*'] }, guardrails: [{ name: 'refund-needs-human', decision: 'ALERT', tool: 'sandbox.payment.refund' }] })),
  },
  connectors: {
    title: 'Connectors',
    text: 'Source systems and the tools that they provide.',
    columns: [
      column('Name', (one) => html`<b>${link(one.id, reveal(one.name))}</b><br /><span class="small muted">${one.listing_id}</span>`),
      column('Status', state),
      column('Tools', (one) => html`${one.tools.length}`),
      column('Credentials', (one) => html`${one.credentials?.type ?? 'none'} <span class="muted">${one.credentials?.hint ?? ''}</span>`),
    ],
    none: () => empty('No connectors yet', 'A connector is a system that actions act on. The sandbox needs no setup:', api('/v1/connectors', { listing_id: 'cn-sandbox', name: 'sandbox' })),
  },
  webhook_endpoints: {
    title: 'Webhooks',
    text: 'Endpoints to which the service sends events.',
    columns: [
      column('URL', (one) => html`<b>${link(one.id, reveal(one.url))}</b>${one.description ? html`<br /><span class="small muted">${reveal(one.description)}</span>` : nothing}`),
      column('Status', (one) => html`${pill(one.status)}${one.failing_since ? html`<br /><span class="small bad-text">first failed ${ago(one.failing_since)}</span>` : nothing}`),
      column('Events', (one) => one.types.map((type, i) => html`${i ? ', ' : ''}${named(type)}`)),
      column('Last delivery', (one) => (one.last_delivery_at ? ago(one.last_delivery_at) : '—')),
    ],
    none: () => empty('No webhook endpoints yet', 'Send events to your own system:', api('/v1/webhook_endpoints', { url: 'https://hooks.example.com/governance', types: ['action.needs_approval', 'plan.disposed'] })),
  },
  channels: {
    title: 'Channels',
    text: 'Notifications for people, in Slack or by mail. A notification decides nothing.',
    columns: [
      column('Address', (one) => html`<b>${link(one.id, reveal(one.url ?? one.to.join(', ')))}</b>${one.description ? html`<br /><span class="small muted">${reveal(one.description)}</span>` : nothing}`),
      column('Status', (one) => html`${pill(one.status)}${one.failing_since ? html`<br /><span class="small bad-text">first failed ${ago(one.failing_since)}</span>` : nothing}`),
      column('Events', (one) => one.types.map((type, i) => html`${i ? ', ' : ''}${named(type)}`)),
      column('Operators', (one) => (one.operators.length ? one.operators.map((id) => html`${link(id)} `) : 'all operators')),
      column('Last delivery', (one) => (one.last_delivery_at ? ago(one.last_delivery_at) : '—')),
    ],
    none: () => empty('No channels yet', 'Notify people of requested approvals and of halts:', api('/v1/channels', { type: 'slack', url: 'https://hooks.slack.com/services/T000/B000/XXXX', types: ['approval.requested', 'halt'] })),
  },
  keys: {
    title: 'Keys',
    make: ['Create a key', 'keys:write', makeKey],
    text: 'Credentials for programs. The secret of a key is shown once, when the key is created.',
    columns: [
      column('Name', (one) => html`<b>${link(one.id, reveal(one.name))}</b><br /><span class="small muted id">${one.hint.replace(/(.{4})$/, '…$1')}</span>`),
      column('Role', (one) => one.role ?? 'custom scopes'),
      column('Mode', (one) => one.mode),
      column('Status', (one) => pill(one.status)),
      column('Last used', (one) => (one.last_used_at ? ago(one.last_used_at) : 'never')),
      column('Created', (one) => ago(one.created_at)),
    ],
    none: () => empty('No keys yet', 'Create one for an agent:', api('/v1/keys', { name: 'shop-agent', role: 'agent' })),
  },
  people: {
    title: 'People',
    make: ['Add a person', 'people:write', makePerson],
    text: 'People who sign in and approve, with their roles and groups.',
    columns: [
      column('Name', (one) => html`<b>${link(one.id, reveal(one.name))}</b>${one.email ? html`<br /><span class="small muted">${reveal(one.email)}</span>` : nothing}`),
      column('Status', (one) => pill(stateOf(one))),
      column('Roles', (one) => one.bindings.map((binding) => html`${binding.role}${binding.workspace_id ? html` <span class="muted small">in ${reveal(binding.workspace_id)}</span>` : nothing} `)),
      column('Groups', (one) => one.groups.map((group) => html`<code>${reveal(group)}</code> `)),
      column('Passkeys', (one) => html`${one.passkeys.length}`),
      column('Last seen', (one) => (one.last_seen_at ? ago(one.last_seen_at) : 'never')),
    ],
    none: () => empty('No people yet', 'Add a person. The answer has the address where they enrol a passkey:', api('/v1/people', { name: 'Dana Ito', bindings: [{ role: 'operate' }], groups: ['finance'] })),
  },
  identity_providers: {
    title: 'Sign-in',
    text: 'The identity provider where people sign in. Without one, they use passkeys only.',
    columns: [
      column('Issuer', (one) => html`<b>${link(one.id, reveal(one.issuer))}</b>`),
      column('Client ID', (one) => html`<code>${reveal(one.client_id)}</code>`),
      column('Roles', (one) => one.role_bindings.map((binding) => html`<div>${reveal(binding.group)} <span class="muted">→ ${binding.role}</span></div>`)),
      column('Last changed', (one) => ago(one.updated_at)),
    ],
    none: () => empty('No identity provider yet', 'Let people sign in where they already do:', api('/v1/identity_providers', { issuer: 'https://login.example.com', client_id: 'governance', client_secret: '…', role_bindings: [{ group: 'support-leads', role: 'operate' }] })),
  },
  sessions: {
    title: 'Sessions',
    text: 'Signed-in browsers, one row each. Signing in again creates a new session and ends the old one. Unless the service is set otherwise, a session expires 12 hours after it began, or an hour after its last use.',
    columns: [
      column('Signed in as', (one) => html`<b>${principal(one.principal)}</b>${one.current ? html`<br /><span class="small ok-text">this browser</span>` : nothing}`),
      column('Signed in with', (one) => METHODS[one.method] ?? one.method),
      column('Signed in', (one) => ago(one.created_at)),
      column('Last used', (one) => ago(one.last_used_at)),
      column('Expires', (one) => when(one.expires_at)),
      column('', (one, list) => (one.current ? nothing : html`<button type="button" class="quiet" aria-label="End the session of ${one.principal.name}" @click=${() => list.doing(() => send('DELETE', `/v1/sessions/${one.id}`, undefined))}>End</button>`)),
    ],
    none: () => empty('Nobody is signed in', 'This command prints an address that signs in a browser:', 'gov console'),
  },
  halts: {
    title: 'Halts',
    text: 'Halts in force and lifted halts, each with its reason.',
    columns: [
      column('Scope', (one) => html`${link(one.id, one.scope)}${one.target_id ? html` ${link(one.target_id)}` : nothing}`),
      column('Status', (one) => pill(one.lifted_at ? 'lifted' : 'halted')),
      column('Halted by', (one) => (one.halted_by_principal ? principal(one.halted_by_principal) : reveal(one.halted_by ?? ''))),
      column('Reason', (one) => reveal(one.reason)),
      column('Halted at', (one) => when(one.halted_at)),
    ],
    none: () => empty('No halts yet', 'The kill switch is the Halt button at the top of every page.'),
  },
};

const METHODS = { key: 'ticket of a key', enrolment: 'enrolment address', passkey: 'passkey', issuer: 'identity provider' };
const PATHS = { decisions: 'approvals' };
const path = (kind, id) => `/v1/${PATHS[kind] ?? kind}${id ? `/${id}` : ''}`;
const ONE = { operators: 'Operator', connectors: 'Connector', webhook_endpoints: 'Webhook endpoint', channels: 'Channel', keys: 'Key', people: 'Person', identity_providers: 'Identity provider', halts: 'Halt', actions: 'Action', receipts: 'Receipt', decisions: 'Approval' };

class List extends View {
  static properties = { kind: { attribute: false }, of: { attribute: false } };

  connectedCallback() {
    super.connectedCallback();
    this.fresh = () => this.load();
    window.addEventListener('changed', this.fresh);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener('changed', this.fresh);
  }

  willUpdate(changed) {
    if (changed.has('kind') || changed.has('of')) {
      Object.assign(this, { found: null, one: null, refused: null, extra: null, told: null });
      this.load();
    }
  }

  async load() {
    const { kind, of } = this;
    const still = () => kind === this.kind && of === this.of;
    await this.trying(async () => {
      if (kind === 'allowance') {
        const one = await get('/v1/allowance');
        if (still()) this.put({ one });
      } else if (of) {
        // Halts can only be listed.
        const one = kind === 'halts' ? (await all(path(kind))).find((halt) => halt.id === of) : await get(path(kind, of));
        const extra = await this.beside(kind, of);
        if (still()) this.put({ one, extra });
      } else {
        const found = await all(path(kind));
        if (still()) this.put({ found });
      }
    });
  }

  async beside(kind, id) {
    if (kind === 'webhook_endpoints') return (await get(`${path(kind, id)}/deliveries?limit=30`)).data;
    if (kind === 'operators') return can('connectors:read') ? all('/v1/connectors') : null;
    return null;
  }

  render() {
    const { kind, of } = this;
    if (kind === 'allowance') return html`<div class="page">${this.allowance()}</div>`;
    if (of) return html`<div class="page">${this.object()}</div>`;
    const list = LISTS[kind];
    return html`<div class="page">
      <div class="row between">
        <h1>${list.title}</h1>
        ${list.make && can(list.make[1]) ? html`<button type="button" @click=${() => this.doing(list.make[2])}>${list.make[0]}</button>` : nothing}
      </div>
      <p class="muted">${list.text}</p>
      ${refusal(this.refused)}
      ${!this.found ? (this.refused ? nothing : loading) : this.found.length ? grid(list.columns, this.found, list.title, this) : list.none()}
      ${this.found?.length ? raw(path(kind), { object: 'list', data: this.found }) : nothing}
    </div>`;
  }

  object() {
    const { kind, one } = this;
    if (!one) return this.refused ? refusal(this.refused) : loading;
    const title = one.display_name ?? one.name ?? one.summary ?? one.url ?? ONE[kind];
    return html`<p class="small muted">${LISTS[kind] ? html`<a href="#/${kind}">${LISTS[kind].title}</a>` : ONE[kind]}</p>
      <h1>${reveal(title)}</h1>
      <p class="row">
        ${pill(kind === 'people' ? stateOf(one) : one.status ?? one.outcome ?? (one.object === 'action' ? one.disposition : null))}
        ${one.plan_id ? html`<a class="button" href="#/plans/${one.plan_id}">Show the plan</a>` : nothing}
        ${kind === 'operators' ? html`<a class="button" href="#/guardrails/${one.id}">${icon('shield')} Guardrails</a>` : nothing}
        ${kind === 'connectors' && can('connectors:write') ? html`<button type="button" @click=${() => this.test(one)}>Test</button>` : nothing}
        ${kind === 'keys' && one.status === 'active' && can('keys:write') ? html`<button type="button" class="danger" @click=${() => this.revoke(one)}>Revoke</button>` : nothing}
        ${kind === 'people' ? buttons(this, one) : nothing}
        ${kind === 'identity_providers' && can('people:write') ? html`<button type="button" class="danger" @click=${() => this.forget(one)}>Remove</button>` : nothing}
        ${kind === 'webhook_endpoints' && can('webhooks:write') ? html`<button type="button" @click=${() => this.sample(one)}>Send a test</button>` : nothing}
        ${kind === 'channels' && one.status === 'active' && can('webhooks:write') ? html`<button type="button" @click=${() => this.ring(one)}>Send a test</button>` : nothing}
      </p>
      ${refusal(this.refused)} ${facts(one, title)}
      ${kind === 'people' ? person(this, one) : nothing}
      ${kind === 'connectors' ? tools(one.tools) : nothing}
      ${kind === 'operators' && this.extra ? tools(this.extra.flatMap((of) => of.tools).filter((tool) => !one.capabilities.length || one.capabilities.includes(tool.capability))) : nothing}
      ${kind === 'webhook_endpoints' ? this.deliveries(one) : nothing}
      ${kind === 'actions' && one.ok && can('results:read') ? this.result(one) : nothing}
      ${raw(path(kind, one.id), one)}`;
  }

  /** The result of an action, which is kept for a limited time, and only for some tools. */
  result(one) {
    const body = this.extra?.body;
    return body === undefined
      ? html`<button type="button" @click=${() => this.trying(async () => this.put({ refused: null, extra: await get(`/v1/actions/${one.id}/result`) }))}>Show the result</button>`
      : html`<h2>Result</h2>
          <pre tabindex="0" aria-label="Result">${reveal(typeof body === 'string' ? body : JSON.stringify(body, null, 2))}</pre>`;
  }

  /** Does the work of a pressed button and shows its outcome in view. */
  async doing(work) {
    this.put({ refused: null });
    await this.trying(work);
    await this.load();
    await this.seen('[role=alert]');
  }

  test(one) {
    return this.doing(async () => {
      const done = await send('POST', `/v1/connectors/${one.id}/test`);
      tell(done.ok ? `The test succeeded in ${digits(done.latency_ms)} ms.` : 'The test failed.', done.ok ? 'ok' : 'bad');
    });
  }

  ring(one) {
    return this.doing(async () => {
      const done = await send('POST', `/v1/channels/${one.id}/test`);
      tell(done.ok ? `Test sent in ${digits(done.duration_ms)} ms.` : `The test was not delivered: ${done.error}.`, done.ok ? 'ok' : 'bad');
    });
  }

  sample(one) {
    return this.doing(async () => {
      await send('POST', `/v1/webhook_endpoints/${one.id}/test`, { type: one.types[0] });
      tell('Test sent. It appears below.');
    });
  }

  async revoke(one) {
    const done = await ask({
      title: `Revoke ${one.name}?`, text: 'Programs that use this key are refused from their next request on. This cannot be undone.', yes: 'Revoke', danger: true,
      work: () => send('DELETE', `/v1/keys/${one.id}`, undefined),
    });
    if (done) await this.load();
  }

  async forget(one) {
    const done = await ask({
      title: 'Remove this identity provider?', text: 'Nobody can sign in there from now on. People who signed in there stay known by their issuer and subject.', yes: 'Remove', danger: true,
      work: () => send('DELETE', path('identity_providers', one.id), undefined),
    });
    if (done) location.hash = '#/identity_providers';
  }

  deliveries(one) {
    const found = this.extra;
    if (!found) return nothing;
    return html`<h2>Deliveries</h2>
      ${found.length
        ? grid(
            [
              column('Type', (d) => named(d.type)),
              column('Status', (d) => html`${pill(d.status)}${d.test ? html` <span class="small muted">test</span>` : nothing}`),
              column('Response', (d) => (d.response_status ? html`${digits(d.response_status)}` : '—')),
              column('Attempts', (d) => html`${Array.isArray(d.attempts) ? d.attempts.length : plain(d.attempts ?? 0)}`),
              column('Next attempt', (d) => (d.next_attempt_at ? when(d.next_attempt_at) : '—')),
              column('', (d) =>
                d.status !== 'pending' && can('webhooks:write')
                  ? html`<button type="button" class="quiet" @click=${() => this.doing(() => send('POST', `/v1/webhook_endpoints/${one.id}/deliveries/${d.id}/redeliver`))}>Resend</button>`
                  : nothing),
            ],
            found,
            'Deliveries',
          )
        : html`<p class="muted">No deliveries yet.</p>`}`;
  }

  allowance() {
    const { one } = this;
    if (!one) return html`<h1>Usage</h1>${this.refused ? refusal(this.refused) : loading}`;
    const used = Number(digits(one.used_actions));
    const of = Number(digits(one.hard_cap ?? one.included_actions));
    return html`<h1>Usage</h1>
      <p class="muted">Actions applied from ${when(one.period_start)} to ${when(one.period_end)}.</p>
      ${refusal(this.refused)}
      <section class="card" aria-label="Allowance">
        <div class="figures">
          <p><b>${used.toLocaleString('en')}</b> used</p>
          <p><b>${Number(digits(one.remaining_actions)).toLocaleString('en')}</b> remaining</p>
          <p><b>${Number(digits(one.included_actions)).toLocaleString('en')}</b> included</p>
          <p><b>${one.hard_cap === null ? 'no' : Number(digits(one.hard_cap)).toLocaleString('en')}</b> hard cap</p>
        </div>
        <p><meter min="0" max=${of} value=${used} high=${of * 0.9} aria-label="Used"></meter></p>
        <p>${pill(one.status)}</p>
      </section>
      ${can('billing:write') ? html`<button type="button" @click=${() => this.cap(one)}>Change the hard cap</button>` : nothing}
      ${raw('/v1/allowance', one)}`;
  }

  async cap(one) {
    const done = await ask({
      title: 'Hard cap',
      text: 'At the cap, no action runs until the period ends or the cap is raised.',
      fields: [{ name: 'cap', label: 'Actions per period', kind: 'text', pattern: '[0-9]+', value: one.hard_cap === null ? '' : digits(one.hard_cap), hint: 'A number. Leave it empty for no cap.' }],
      yes: 'Change',
      work: ({ cap }, key) => send('PATCH', '/v1/allowance', { hard_cap: cap === '' ? null : Number(cap) }, key),
    });
    if (done) await this.load();
  }
}

const grid = (columns, found, title, list) => html`<div class="scroll" tabindex="0" role="region" aria-label=${title}>
  <table class="grid">
    <thead>
      <tr>${columns.map((one) => html`<th scope="col">${one.title || html`<span class="hidden">Options</span>`}</th>`)}</tr>
    </thead>
    <tbody>
      ${found.map((one) => html`<tr>${columns.map((cell) => html`<td data-of=${cell.title}><div>${cell.of(one, list)}</div></td>`)}</tr>`)}
    </tbody>
  </table>
</div>`;

const tools = (found) => html`<h2>Tools</h2>
  ${found.length
    ? grid(
        [
          column('Tool', (tool) => html`<code>${reveal(tool.name)}</code><br /><span class="small muted">${reveal(tool.description ?? '')}</span>`),
          column('Tier', (tool) => tier(tool.tier)),
          column('Inverse', (tool) => (tool.inverse ? html`<code>${tool.inverse}</code>` : '—')),
        ],
        found,
        'Tools',
      )
    : html`<p class="muted">No tools are available.</p>`}`;

/* Fields that the pages show elsewhere. */
const ELSEWHERE = ['object', 'tools', 'guardrails', 'status', 'model', 'credentials', 'config', 'passkeys', 'bindings', 'groups'];

/** All fields of an object, with ids as links, except those shown elsewhere on the page. */
function facts(one, title) {
  const shown = Object.entries(one).filter(([field, value]) => !(/^(display_)?name$/.test(field) && value === title) && !ELSEWHERE.includes(field) && value !== null && !(Array.isArray(value) && !value.length));
  const said = (field, value) => {
    if (field === 'triggers') return watches(value);
    if (field === 'types' || field === 'type') return [value].flat().map((type, i) => html`${i ? ', ' : ''}${named(type)}`);
    if (typeof value === 'string' && ID.test(value)) return link(value);
    if (typeof value === 'string' && /_at$|_end$|_start$|_since$/.test(field)) return when(value);
    if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.map((part) => html`<div>${ID.test(part) ? link(part) : long(part)}</div>`);
    if (Array.isArray(value) && value.every((part) => part && typeof part === 'object' && !isNumber(part) && !part.type))
      return value.map((part) => html`<div>${rows(part).filter(([, of]) => of !== null).map(([name, of], i) => html`${i ? html`<span class="muted"> · </span>` : nothing}<span class="muted">${reveal(name.replaceAll('_', ' '))}</span> ${typeof of === 'string' && ID.test(of) ? link(of) : long(plain(of))}`)}</div>`);
    if (Array.isArray(value) && value[0]?.type) return value.map((who) => html`${principal(who)} `);
    if (value?.type && value?.id && /_by|principal|owner/.test(field)) return principal(value);
    if (typeof value === 'object' && !isNumber(value)) return rows(value).map(([name, part]) => html`<div class="small"><span class="muted">${reveal(name)}</span> ${typeof part === 'string' && ID.test(part) ? link(part) : long(plain(part))}</div>`);
    return long(plain(value));
  };
  return html`<div class="card">
    <table class="args open">
      <caption class="hidden">Fields</caption>
      <tbody>
        ${shown.map(([field, value]) => html`<tr><th scope="row">${field.replaceAll('_', ' ')}</th><td>${said(field, value)}</td></tr>`)}
      </tbody>
    </table>
  </div>`;
}

customElements.define('gov-list', List);
