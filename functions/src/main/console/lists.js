/* What there is: agents, connectors, webhooks, channels, keys, the allowance; and any one object, as it is. */
import { html, nothing } from 'lit';
import { all, can, digits, get, isNumber, send } from './api.js';
import { ask, tell } from './ask.js';
import { buttons, makeKey, makePerson, person, state as stateOf } from './people.js';
import { ago, api, empty, icon, ID, link, loading, long, named, own, pill, plain, principal, raw, refusal, reveal, rows, tier, View, when } from './words.js';

const column = (title, of) => ({ title, of });

/** Its status, and why it is so. */
const state = (one) => html`${pill(one.status)}${one.status_reason ? html`<br /><span class="small">${reveal(one.status_reason)}</span>` : nothing}`;

const PROPOSERS = { scripted: 'a script', bedrock: 'a model on Bedrock', openai_compatible: 'a model' };

const UNITS = { minute: 'minute', minutes: 'minutes', hour: 'hour', hours: 'hours', day: 'day', days: 'days' };

/** What sets an operator to work, in words. */
function watches({ event_types = [], sources = [], schedule }) {
  const found = [];
  if (event_types.length || sources.length)
    found.push(html`${event_types.length ? event_types.map((type, i) => html`${i ? ', ' : ''}${named(type)}`) : 'every event'}${sources.length ? html` <span class="muted">from</span> ${reveal(sources.join(', '))}` : nothing}`);
  if (schedule) {
    const [, count, unit] = /^rate\((\d+) (\w+)\)$/.exec(schedule) ?? [];
    found.push(own(UNITS, unit) ? html`every ${count === '1' ? '' : `${count} `}${unit}` : html`at times, UTC: <code>${reveal(schedule)}</code>`);
  }
  return found.length ? found.map((one) => html`<div>${one}</div>`) : html`<span class="muted">nothing by itself</span>`;
}

const LISTS = {
  operators: {
    title: 'Agents',
    text: 'Operators: what they watch, what they may use, and the guardrails that judge them.',
    columns: [
      column('Name', (one) => html`<b>${link(one.id, reveal(one.display_name ?? one.name))}</b>${!one.display_name || one.display_name === one.name ? nothing : html`<br /><span class="small muted">${reveal(one.name)}</span>`}`),
      column('State', state),
      column('Watches', (one) => watches(one.triggers)),
      column('Proposes by', (one) => own(PROPOSERS, one.model?.provider) ?? 'agents outside'),
      column('Guardrails', (one) => html`<a href="#/guardrails/${one.id}">${one.guardrails.length} ${one.guardrails.length === 1 ? 'rule' : 'rules'}</a><span class="muted small"> v${digits(one.guardrails_version)}</span>`),
      column('Last plan', (one) => (one.last_plan_at ? ago(one.last_plan_at) : '—')),
    ],
    none: () =>
      empty('No agent yet', 'An operator is what an agent may do. Make one:', api('/v1/operators', { name: 'refund-desk', triggers: { event_types: ['order.*'] }, guardrails: [{ name: 'refund-needs-human', decision: 'ALERT', tool: 'sandbox.payment.refund' }] })),
  },
  connectors: {
    title: 'Connectors',
    text: 'Source systems, and the tools that they bring.',
    columns: [
      column('Name', (one) => html`<b>${link(one.id, reveal(one.name))}</b><br /><span class="small muted">${one.listing_id}</span>`),
      column('State', state),
      column('Tools', (one) => html`${one.tools.length}`),
      column('Credentials', (one) => html`${one.credentials?.type ?? 'none'} <span class="muted">${one.credentials?.hint ?? ''}</span>`),
    ],
    none: () => empty('No connector yet', 'A connector is a system that actions act on. The sandbox needs nothing:', api('/v1/connectors', { listing_id: 'cn-sandbox', name: 'sandbox' })),
  },
  webhook_endpoints: {
    title: 'Webhooks',
    text: 'Where the service tells of what happens.',
    columns: [
      column('Address', (one) => html`<b>${link(one.id, reveal(one.url))}</b>${one.description ? html`<br /><span class="small muted">${reveal(one.description)}</span>` : nothing}`),
      column('State', (one) => html`${pill(one.status)}${one.failing_since ? html`<br /><span class="small bad-text">failing since ${ago(one.failing_since)}</span>` : nothing}`),
      column('Hears of', (one) => one.types.map((type, i) => html`${i ? ', ' : ''}${named(type)}`)),
      column('Last delivery', (one) => (one.last_delivery_at ? ago(one.last_delivery_at) : '—')),
    ],
    none: () => empty('No endpoint yet', 'Have your own system told of what waits:', api('/v1/webhook_endpoints', { url: 'https://hooks.example.com/governance', types: ['action.needs_approval', 'plan.disposed'] })),
  },
  channels: {
    title: 'Channels',
    text: 'Doorbells in Slack and by mail. They tell of what waits, and decide nothing.',
    columns: [
      column('Rings', (one) => html`<b>${link(one.id, reveal(one.url ?? one.to.join(', ')))}</b>${one.description ? html`<br /><span class="small muted">${reveal(one.description)}</span>` : nothing}`),
      column('State', (one) => html`${pill(one.status)}${one.failing_since ? html`<br /><span class="small bad-text">failing since ${ago(one.failing_since)}</span>` : nothing}`),
      column('For', (one) => one.types.map((type, i) => html`${i ? ', ' : ''}${named(type)}`)),
      column('Of', (one) => (one.operators.length ? one.operators.map((id) => html`${link(id)} `) : 'all agents')),
      column('Last rung', (one) => (one.last_delivery_at ? ago(one.last_delivery_at) : '—')),
    ],
    none: () => empty('No channel yet', 'Have people told of what waits for them:', api('/v1/channels', { type: 'slack', url: 'https://hooks.slack.com/services/T000/B000/XXXX', types: ['approval.requested', 'halt'] })),
  },
  keys: {
    title: 'Keys',
    make: ['Make a key', 'keys:write', makeKey],
    text: 'Credentials of programs. Their secrets are shown once, when they are made.',
    columns: [
      column('Name', (one) => html`<b>${link(one.id, reveal(one.name))}</b><br /><span class="small muted id">${one.hint.replace(/(.{4})$/, '…$1')}</span>`),
      column('Role', (one) => one.role ?? 'scopes of its own'),
      column('Mode', (one) => one.mode),
      column('State', (one) => pill(one.status)),
      column('Used', (one) => (one.last_used_at ? ago(one.last_used_at) : 'never')),
      column('Made', (one) => ago(one.created_at)),
    ],
    none: () => empty('No key', 'Make one for an agent:', api('/v1/keys', { name: 'shop-agent', role: 'agent' })),
  },
  people: {
    title: 'People',
    make: ['Make a person', 'people:write', makePerson],
    text: 'Who signs in, approves, and by which roles and groups.',
    columns: [
      column('Name', (one) => html`<b>${link(one.id, reveal(one.name))}</b>${one.email ? html`<br /><span class="small muted">${reveal(one.email)}</span>` : nothing}`),
      column('State', (one) => pill(stateOf(one))),
      column('Roles', (one) => one.bindings.map((binding) => html`${binding.role}${binding.workspace_id ? html` <span class="muted small">in ${reveal(binding.workspace_id)}</span>` : nothing} `)),
      column('Groups', (one) => one.groups.map((group) => html`<code>${reveal(group)}</code> `)),
      column('Passkeys', (one) => html`${one.passkeys.length}`),
      column('Seen', (one) => (one.last_seen_at ? ago(one.last_seen_at) : 'never')),
    ],
    none: () => empty('Nobody yet', 'Make a person; the answer has the address at which they enrol a passkey:', api('/v1/people', { name: 'Dana Ito', bindings: [{ role: 'operate' }], groups: ['finance'] })),
  },
  identity_providers: {
    title: 'Sign-in',
    text: 'The identity provider at which people sign in. Without one they have passkeys alone.',
    columns: [
      column('Issuer', (one) => html`<b>${link(one.id, reveal(one.issuer))}</b>`),
      column('Known there as', (one) => html`<code>${reveal(one.client_id)}</code>`),
      column('Roles', (one) => one.role_bindings.map((binding) => html`<div>${reveal(binding.group)} <span class="muted">→ ${binding.role}</span></div>`)),
      column('Changed', (one) => ago(one.updated_at)),
    ],
    none: () => empty('No identity provider', 'Have your people sign in where they do already:', api('/v1/identity_providers', { issuer: 'https://login.example.com', client_id: 'governance', client_secret: '…', role_bindings: [{ group: 'support-leads', role: 'operate' }] })),
  },
  sessions: {
    title: 'Sessions',
    text: 'Browsers that are signed in, a row each: one that signs in anew has a new session, and its old one ends. A session ends by itself 12 hours after it began, or an hour after its last use.',
    columns: [
      column('Who', (one) => html`<b>${principal(one.principal)}</b>${one.current ? html`<br /><span class="small ok-text">this browser</span>` : nothing}`),
      column('Came by', (one) => METHODS[one.method] ?? one.method),
      column('Since', (one) => ago(one.created_at)),
      column('Last used', (one) => ago(one.last_used_at)),
      column('Ends', (one) => when(one.expires_at)),
      column('', (one, list) => (one.current ? nothing : html`<button type="button" class="quiet" aria-label="End the session of ${one.principal.name}" @click=${() => list.doing(() => send('DELETE', `/v1/sessions/${one.id}`, undefined))}>End</button>`)),
    ],
    none: () => empty('Nobody is signed in', 'An address that signs a browser in:', 'gov console'),
  },
  halts: {
    title: 'Halts',
    text: 'When calls were stopped, by whom, and why.',
    columns: [
      column('What', (one) => html`${link(one.id, one.scope)}${one.target_id ? html` ${link(one.target_id)}` : nothing}`),
      column('State', (one) => pill(one.lifted_at ? 'lifted' : 'halted')),
      column('By', (one) => (one.halted_by_principal ? principal(one.halted_by_principal) : reveal(one.halted_by ?? ''))),
      column('Why', (one) => reveal(one.reason)),
      column('Since', (one) => when(one.halted_at)),
    ],
    none: () => empty('Nothing was ever halted', 'The switch is at the top of every page.'),
  },
};

const METHODS = { key: 'an address of a key', enrolment: 'their enrolment address', passkey: 'their passkey', issuer: 'the identity provider' };
const PATHS = { decisions: 'approvals' };
const path = (kind, id) => `/v1/${PATHS[kind] ?? kind}${id ? `/${id}` : ''}`;
const ONE = { operators: 'Agent', connectors: 'Connector', webhook_endpoints: 'Webhook endpoint', channels: 'Channel', keys: 'Key', people: 'Person', identity_providers: 'Identity provider', halts: 'Halt', actions: 'Action', receipts: 'Receipt', decisions: 'Approval' };

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
        // Halts have a list alone.
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
        ${one.plan_id ? html`<a class="button" href="#/plans/${one.plan_id}">The whole plan</a>` : nothing}
        ${kind === 'operators' ? html`<a class="button" href="#/guardrails/${one.id}">${icon('shield')} Guardrails</a>` : nothing}
        ${kind === 'connectors' && can('connectors:write') ? html`<button type="button" @click=${() => this.test(one)}>Test</button>` : nothing}
        ${kind === 'keys' && one.status === 'active' && can('keys:write') ? html`<button type="button" class="danger" @click=${() => this.revoke(one)}>Revoke</button>` : nothing}
        ${kind === 'people' ? buttons(this, one) : nothing}
        ${kind === 'identity_providers' && can('people:write') ? html`<button type="button" class="danger" @click=${() => this.forget(one)}>Take away</button>` : nothing}
        ${kind === 'webhook_endpoints' && can('webhooks:write') ? html`<button type="button" @click=${() => this.sample(one)}>Send a test</button>` : nothing}
        ${kind === 'channels' && one.status === 'active' && can('webhooks:write') ? html`<button type="button" @click=${() => this.ring(one)}>Ring it</button>` : nothing}
      </p>
      ${refusal(this.refused)} ${facts(one, title)}
      ${kind === 'people' ? person(this, one) : nothing}
      ${kind === 'connectors' ? tools(one.tools) : nothing}
      ${kind === 'operators' && this.extra ? tools(this.extra.flatMap((of) => of.tools).filter((tool) => !one.capabilities.length || one.capabilities.includes(tool.capability))) : nothing}
      ${kind === 'webhook_endpoints' ? this.deliveries(one) : nothing}
      ${kind === 'actions' && one.ok && can('results:read') ? this.result(one) : nothing}
      ${raw(path(kind, one.id), one)}`;
  }

  /** The source system's answer, which is kept for a while, and for some tools only. */
  result(one) {
    const body = this.extra?.body;
    return body === undefined
      ? html`<button type="button" @click=${() => this.trying(async () => this.put({ refused: null, extra: await get(`/v1/actions/${one.id}/result`) }))}>Show the result</button>`
      : html`<h2>Result</h2>
          <pre tabindex="0" aria-label="Result">${reveal(typeof body === 'string' ? body : JSON.stringify(body, null, 2))}</pre>`;
  }

  /** Does what was pressed, and shows what came of it where it can be seen. */
  async doing(work) {
    this.put({ refused: null });
    await this.trying(work);
    await this.load();
    await this.seen('[role=alert]');
  }

  test(one) {
    return this.doing(async () => {
      const done = await send('POST', `/v1/connectors/${one.id}/test`);
      tell(done.ok ? `It answers, in ${digits(done.latency_ms)} ms.` : 'It does not answer.', done.ok ? 'ok' : 'bad');
    });
  }

  ring(one) {
    return this.doing(async () => {
      const done = await send('POST', `/v1/channels/${one.id}/test`);
      tell(done.ok ? `It rang, in ${digits(done.duration_ms)} ms.` : `It did not ring: ${done.error}.`, done.ok ? 'ok' : 'bad');
    });
  }

  sample(one) {
    return this.doing(async () => {
      await send('POST', `/v1/webhook_endpoints/${one.id}/test`, { type: one.types[0] });
      tell('Sent. It comes up below.');
    });
  }

  async revoke(one) {
    const done = await ask({
      title: `Revoke ${one.name}?`, text: 'Whatever uses it is refused from its next request on. This cannot be taken back.', yes: 'Revoke', danger: true,
      work: () => send('DELETE', `/v1/keys/${one.id}`, undefined),
    });
    if (done) await this.load();
  }

  async forget(one) {
    const done = await ask({
      title: 'Take away this identity provider?', text: 'Nobody signs in there from now on. People who came by it stay known by their issuer and subject.', yes: 'Take away', danger: true,
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
              column('State', (d) => html`${pill(d.status)}${d.test ? html` <span class="small muted">test</span>` : nothing}`),
              column('Answer', (d) => (d.response_status ? html`${digits(d.response_status)}` : '—')),
              column('Attempts', (d) => html`${Array.isArray(d.attempts) ? d.attempts.length : plain(d.attempts ?? 0)}`),
              column('Next', (d) => (d.next_attempt_at ? when(d.next_attempt_at) : '—')),
              column('', (d) =>
                d.status !== 'pending' && can('webhooks:write')
                  ? html`<button type="button" class="quiet" @click=${() => this.doing(() => send('POST', `/v1/webhook_endpoints/${one.id}/deliveries/${d.id}/redeliver`))}>Send again</button>`
                  : nothing),
            ],
            found,
            'Deliveries',
          )
        : html`<p class="muted">None yet.</p>`}`;
  }

  allowance() {
    const { one } = this;
    if (!one) return html`<h1>Allowance</h1>${this.refused ? refusal(this.refused) : loading}`;
    const used = Number(digits(one.used_actions));
    const of = Number(digits(one.hard_cap ?? one.included_actions));
    return html`<h1>Allowance</h1>
      <p class="muted">Actions that were applied from ${when(one.period_start)} to ${when(one.period_end)}.</p>
      ${refusal(this.refused)}
      <section class="card" aria-label="Usage">
        <div class="figures">
          <p><b>${used.toLocaleString('en')}</b> used</p>
          <p><b>${Number(digits(one.remaining_actions)).toLocaleString('en')}</b> remain</p>
          <p><b>${Number(digits(one.included_actions)).toLocaleString('en')}</b> included</p>
          <p><b>${one.hard_cap === null ? 'none' : Number(digits(one.hard_cap)).toLocaleString('en')}</b> hard cap</p>
        </div>
        <p><meter min="0" max=${of} value=${used} high=${of * 0.9} aria-label="Used"></meter></p>
        <p>${pill(one.status)}</p>
      </section>
      ${can('billing:write') ? html`<button type="button" @click=${() => this.cap(one)}>Change the cap</button>` : nothing}
      ${raw('/v1/allowance', one)}`;
  }

  async cap(one) {
    const done = await ask({
      title: 'Hard cap',
      text: 'At the cap no action runs until the period ends or the cap is raised.',
      fields: [{ name: 'cap', label: 'Actions in a period', kind: 'text', pattern: '[0-9]+', value: one.hard_cap === null ? '' : digits(one.hard_cap), hint: 'A number. Left empty: none.' }],
      yes: 'Change',
      work: ({ cap }, key) => send('PATCH', '/v1/allowance', { hard_cap: cap === '' ? null : Number(cap) }, key),
    });
    if (done) await this.load();
  }
}

const grid = (columns, found, title, list) => html`<div class="scroll" tabindex="0" role="region" aria-label=${title}>
  <table class="grid">
    <thead>
      <tr>${columns.map((one) => html`<th scope="col">${one.title || html`<span class="hidden">Do</span>`}</th>`)}</tr>
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
    : html`<p class="muted">None within reach.</p>`}`;

/* These have places of their own on their pages. */
const ELSEWHERE = ['object', 'tools', 'guardrails', 'status', 'model', 'credentials', 'config', 'passkeys', 'bindings', 'groups'];

/** All of an object's fields, ids as links; but what is said above them. */
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
