/* A plan: what a person has to know to decide on it, the decision, and what came of it. */
import { html, nothing } from 'lit';
import { can, digits, get, keepPlace, known, name, passkeyAddress, send, who } from './api.js';
import { ask, tell } from './ask.js';
import {
  View, ago, amount, icon, left, link, loading, long, named, pill, plain, principal, raw, refusal, reveal, span, table, tier, when,
} from './words.js';

/** What a guardrail asks, beside what is so here. */
function conditions(guardrail, action) {
  const asked = guardrail.conditions ?? {};
  const here = (said) => html`<span class="here">here ${said}</span>`;
  const value = amount(action.value, action.currency, action.summary, ...Object.values(action.args ?? {})) ?? 'none';
  const claimed = (field) => (action.claimed?.includes(field) ? ', as the proposer says' : '');
  const found = [];
  const bound = (bound, sign) => {
    if (bound !== null && bound !== undefined)
      found.push(html`value ${sign} ${plain(bound)} ${here(value + claimed('value'))}`);
  };
  bound(asked.min_value, '≥');
  bound(asked.max_value, '≤');
  if (asked.currency) found.push(html`currency is ${reveal(asked.currency)} ${here(reveal(action.currency ?? 'none'))}`);
  if (asked.entity_key) found.push(html`entity is ${reveal(asked.entity_key)} ${here(reveal(action.entity_key))}`);
  if (asked.max_tier !== null && asked.max_tier !== undefined)
    found.push(html`tier at most ${asked.max_tier} ${here(action.verdict.tier)}`);
  for (const { path, op, value: than } of asked.args ?? [])
    found.push(
      html`<code>${reveal(path)}</code> ${op.replace('_', ' ')} ${than === undefined ? '' : reveal(plain(than))}
        ${here(reveal(plain(at(action.args, path) ?? 'nothing')))}`,
    );
  for (const limit of guardrail.limits ?? [])
    found.push(
      html`at most
      ${[limit.max_actions != null && `${plain(limit.max_actions)} actions`, limit.max_value != null && plain(limit.max_value)]
        .filter(Boolean)
        .join(' and ')}
      per ${limit.per} in ${span(Number(plain(limit.window_seconds)))}`,
    );
  return found;
}

const at = (value, pointer) =>
  pointer
    .split('/')
    .slice(1)
    .reduce((inner, part) => inner?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], value);

const SAYS = {
  ALERT: 'A person is asked because',
  ALLOW: 'Permitted because',
  BLOCK: 'Blocked because',
};

/** What is refused whoever approves it, as things are. */
const refusedAnyway = ({ verdict }) => verdict.decision === 'BLOCK' || verdict.reason === 'tool_changed';

const DOING = { approve: 'Approving …', sign: 'Your browser asks for your passkey …' };
const SETTLES = 400;
/** How often an open plan looks for the votes of others, in milliseconds. */
const VOTES_AGAIN = 3000;

/**
 * Approves; where a passkey is asked for, with what it signs, and says when. Null if nothing was signed. Whoever is quicker than
 * the page may not know yet what is asked for.
 */
async function approved(plan, votes, body, signing) {
  const path = `/v1/plans/${plan.id}`;
  const { requirements } = votes ?? (await get(`${path}/approval`));
  const signs = who()?.principal.type === 'person' && requirements.some((one) => one.method === 'passkey');
  if (!signs) return send('POST', `${path}/approve`, body);
  const { signed } = await import('./passkeys.js');
  const challenge = await send('POST', `${path}/approval/challenges`, body);
  signing();
  const signature = await signed(challenge);
  return signature && send('POST', `${path}/approve`, { ...body, ...signature });
}

/* What is looked up for a plan, beside itself. */
const OF_A_PLAN = ['connectors', 'votes', 'guardrails', 'history', 'event', 'approval', 'receipts', 'actions'];

class Plan extends View {
  static properties = { of: { attribute: false } };

  willUpdate(changed) {
    if (changed.has('of')) {
      // Nothing of the plan that was here before stands beside this one.
      this.plan = this.refused = null;
      for (const found of OF_A_PLAN) this[found] = undefined;
      this.left_ = new Set();
      this.note = '';
      this.settled = false;
      delete this.dataset.settled;
      this.load();
    }
  }

  connectedCallback() {
    super.connectedCallback();
    this.fresh = () => this.load();
    this.pressed = (e) => this.press(e.detail);
    window.addEventListener('changed', this.fresh);
    window.addEventListener('pressed', this.pressed);
    this.votesAgain = setInterval(() => this.loadVotes(), VOTES_AGAIN);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener('changed', this.fresh);
    window.removeEventListener('pressed', this.pressed);
    clearInterval(this.votesAgain);
  }

  /** The stream tells of plans and actions, not of votes: while several people are asked for, they are looked for. */
  async loadVotes() {
    const asked = this.votes?.state === 'open' && this.votes.requirements.length > 0;
    if (!asked || document.hidden || this.busy) return;
    const id = this.of;
    const votes = await get(`/v1/plans/${id}/approval`).catch(() => null);
    if (!votes || id !== this.of || this.busy) return;
    if (votes.state === 'open') this.put({ votes });
    else await this.load();
  }

  async load() {
    const id = this.of;
    const plan = await this.trying(() => get(`/v1/plans/${id}`));
    if (!plan || id !== this.of) return;
    if (!this.plan) setTimeout(() => this.settle(id), SETTLES);
    this.put({ plan });
    const here = (found) => {
      if (id === this.of) this.put(found);
    };
    await this.trying(() =>
      Promise.all([this.names(plan).then(here), (plan.status === 'proposed' ? this.whileOpen(plan) : this.onceClosed(plan)).then(here)]),
    );
  }

  /** What its connectors are called. */
  async names(plan) {
    const ids = [...new Set(plan.actions.map((action) => action.connector))];
    const names = await Promise.all(ids.map((id) => (can('connectors:read') ? name(`/v1/connectors/${id}`) : null)));
    return { connectors: Object.fromEntries(ids.map((id, i) => [id, names[i]])) };
  }

  /** From now on a key may decide on it: before, it has only just come under the finger. */
  settle(id) {
    if (id !== this.of) return;
    this.settled = true;
    this.dataset.settled = '';
  }

  async whileOpen(plan) {
    const set = can('operators:read')
      ? known(`/v1/operators/${plan.operator_id}/guardrails?version=${digits(plan.guardrails_version)}`)
      : null;
    const entities = [...new Set(plan.actions.map((action) => action.entity_key).filter(Boolean))];
    const histories = can('actions:read')
      ? entities.map((entity) =>
          get(`/v1/actions?limit=5&entity=${encodeURIComponent(entity)}`).then((page) => [entity, page.data]),
        )
      : [];
    const votes = plan.waiting_on === 'approval' ? ((await this.trying(() => get(`/v1/plans/${plan.id}/approval`))) ?? null) : null;
    const others = await this.trying(async () => ({
      guardrails: (await set)?.guardrails ?? [],
      history: Object.fromEntries(await Promise.all(histories)),
    }));
    return { votes, ...others };
  }

  async onceClosed(plan) {
    const [event, approval, receipts, actions] = await Promise.all([
      plan.event_id && can('events:read') ? known(`/v1/events/${plan.event_id}`).catch(() => null) : null,
      plan.approval_id ? known(`/v1/approvals/${plan.approval_id}`).catch(() => null) : null,
      can('receipts:read') ? get(`/v1/receipts?limit=100&plan_id=${plan.id}`).then((page) => page.data) : [],
      can('actions:read') ? Promise.all(plan.actions.map((a) => get(`/v1/actions/${a.id}`))) : [],
    ]);
    return { event, approval, receipts: receipts.toSorted((a, b) => (a.written_at < b.written_at ? -1 : 1)), actions };
  }

  press(key) {
    if (!this.settled || this.plan.status !== 'proposed' || this.busy) return;
    if (key === 'a' && this.mayApprove()) this.approve();
    if (key === 'v' && can('plans:approve')) this.veto();
  }

  mayApprove() {
    return can('plans:approve') && this.votes?.you?.eligible !== false && this.plan.waiting_on === 'approval';
  }

  chosen() {
    return this.plan.actions.filter((action) => !this.left_.has(action.id));
  }

  async approve() {
    const { plan } = this;
    const chosen = this.chosen();
    if (!chosen.length) return;
    const final = chosen.filter((action) => action.verdict.tier >= 3 && !refusedAnyway(action));
    if (final.length) {
      const sure = await ask({
        title: 'This cannot be undone',
        body: html`<ul>
          ${final.map((action) => html`<li>${reveal(action.summary)}</li>`)}
        </ul>`,
        yes: 'Approve all the same',
        danger: true,
      });
      if (!sure) return;
    }
    const body = {};
    if (this.left_.size) body.action_ids = chosen.map((action) => action.id);
    if (this.note.trim()) body.note = this.note.trim();
    await this.deciding('approve', async () => {
      const done = await approved(plan, this.votes, body, () => this.put({ busy: 'sign' }));
      if (!done) return tell('Nothing was signed, so nothing is approved. Is a passkey of yours on this device?', 'bad');
      const went = done.results?.filter((result) => result.ok).length;
      if (done.status === 'proposed') tell('Your vote is counted.');
      else if (went === done.results.length) tell(went === 1 ? 'Done.' : `All ${went} done.`);
      else tell(`${went} of ${done.results.length} done. See below why the rest was not.`, 'bad');
    });
  }

  takeBack() {
    return this.deciding('vote', async () => {
      await send('DELETE', `/v1/plans/${this.plan.id}/approval/vote`);
      tell('Taken back.');
    });
  }

  async veto() {
    const { plan } = this;
    const done = await ask({
      title: 'Veto this plan',
      text: 'Nothing of it will run. Whoever proposes next for the same entity is told why.',
      fields: [{ name: 'reason', label: 'Why must it not run?', needed: true }],
      yes: 'Veto',
      danger: true,
      work: (said, key) => send('POST', `/v1/plans/${plan.id}/veto`, said, key),
    });
    if (done) await this.deciding('veto', () => tell('Vetoed.'));
  }

  /** Does what was pressed, at the bottom of the page as a rule, and shows what came of it, which stands further up. */
  async deciding(what, work) {
    this.put({ busy: what, refused: null });
    await this.trying(work);
    const { refused } = this;
    this.put({ busy: null });
    await this.load();
    window.dispatchEvent(new Event('changed'));
    await this.seen(refused ? '[role=alert]' : '#story, #votes');
  }

  async undo(action) {
    const done = await ask({
      title: 'Undo this action',
      body: html`<p>${reveal(action.summary)}</p>`,
      text: 'The inverse that its tool declares is called, under a receipt of its own.',
      fields: [{ name: 'reason', label: 'Why?' }],
      yes: 'Undo',
      work: (said, key) => send('POST', `/v1/actions/${action.id}/undo`, said.reason ? said : {}, key),
    });
    if (done)
      await this.deciding('undo', () => {
        tell(done.undone === false || done.object === 'execution_plan' ? 'Asked: the undo waits for approval.' : 'Undone.');
      });
  }

  async resolve(action) {
    const done = await ask({
      title: 'What became of it?',
      text: 'Look it up in the source system. Your word settles its key, its limits and the allowance.',
      fields: [
        {
          name: 'outcome', label: 'Outcome', kind: 'choice', needed: true,
          options: [['applied', 'It was applied'], ['not_applied', 'It was not applied']],
        },
        { name: 'reason', label: 'How do you know?', needed: true },
      ],
      yes: 'Say so',
      work: (said, key) => send('POST', `/v1/actions/${action.id}/resolve`, said, key),
    });
    if (done) await this.deciding('resolve', () => tell('It is kept.'));
  }

  async amend(action) {
    const { openAmend } = await import('./amend.js');
    const next = await openAmend(this.plan, action);
    if (next) location.hash = `#/plans/${next.id}`;
  }

  render() {
    const { plan } = this;
    if (!plan) return html`${refusal(this.refused)} ${this.refused ? nothing : loading}`;
    const open = plan.status === 'proposed';
    return html`<article class="plan">
      ${this.head(plan, open)} ${refusal(this.refused)}
      ${open ? this.requirements(plan) : this.story(plan)}
      <section aria-labelledby="what">
        <h2 id="what">${open ? 'What will happen' : 'What was planned'}</h2>
        ${plan.actions.map((action, i) => this.action(plan, action, i, open))}
      </section>
      ${plan.reasoning
        ? html`<section class="agent" aria-labelledby="agent">
            <h2 id="agent">${icon('robot')} In the agent’s words</h2>
            <p class="small">Written by who proposed this, to persuade. Nothing above is taken from it.</p>
            <blockquote>${long(plan.reasoning)}</blockquote>
          </section>`
        : nothing}
      ${this.small(plan)} ${open ? this.bar(plan) : nothing}
    </article>`;
  }

  head(plan, open) {
    const first = plan.actions[0];
    const most = Math.max(...plan.actions.map((action) => action.verdict.tier ?? 0));
    const value = amount(first.value, first.currency, first.summary, ...Object.values(first.args ?? {}));
    const by = plan.proposed_by;
    return html`<header class="plan-head">
      <a class="back" href="#/approvals">${icon('back')} Approvals</a>
      <p class="row">
        ${open
          ? plan.waiting_on === 'approval'
            ? html`<span class="pill warn">${icon('hand')}Waits for approval</span>`
            : html`<span class="pill muted">${icon('dot')}${plan.waiting_on ? `Waits: ${plan.waiting_on}` : 'Runs'}</span>`
          : pill(plan.status)}
        ${tier(most)}
      </p>
      <h1>
        ${reveal(first.summary)}${plan.actions.length > 1
          ? html` <span class="muted">and ${plan.actions.length - 1} more</span>`
          : nothing}
      </h1>
      <dl class="facts">
        ${value
          ? html`<div>
              <dt>Value${first.claimed?.includes('value') ? html` <span class="warn-text">claimed</span>` : nothing}</dt>
              <dd class="value">${value}</dd>
            </div>`
          : nothing}
        <div>
          <dt>Asked by</dt>
          <dd>
            ${principal(by)}${by?.triggered_by
              ? html`<br /><span class="small muted">for what ${principal(by.triggered_by)} sent</span>`
              : nothing}
            ${plan.amended_by ? html`<br /><span class="small">amended by ${principal(plan.amended_by)}</span>` : nothing}
          </dd>
        </div>
        ${open
          ? html`<div><dt>Time left</dt><dd>${left(plan.expires_at)}</dd></div>`
          : html`<div><dt>Ended</dt><dd>${ago(plan.disposed_at ?? plan.expires_at)}</dd></div>`}
        <div><dt>Asked</dt><dd>${ago(plan.proposed_at)}</dd></div>
      </dl>
    </header>`;
  }

  /** The vote of who looks. */
  mine() {
    return this.votes?.votes.find((vote) => vote.person_id === who()?.principal.id);
  }

  requirements(plan) {
    const votes = this.votes;
    const mine = this.mine();
    if (!votes || (!votes.requirements.length && !votes.votes.length && votes.you.eligible)) return nothing;
    return html`<section aria-labelledby="votes">
      <h2 id="votes" tabindex="-1">Who has to agree</h2>
      ${!votes.you.eligible
        ? html`<div class="note warn">${icon('hand')}<p>You cannot vote on this: ${why(votes.you.reason)}</p></div>`
        : nothing}
      ${votes.requirements.length || votes.votes.length
        ? html`<ul class="lines card">
            ${together(votes.requirements, plan).map(
              ([one, of]) => html`<li class="row between">
                <span>${requirement(one)}${of ? html`<span class="muted">, for ${of}</span>` : nothing}</span>
                <span class="small">${one.missing
                  ? html`<span class="warn-text">${plain(one.missing)} missing</span>`
                  : html`<span class="pill ok">${icon('check')}${one.given.map((who, i) => html`${i ? ', ' : ''}${reveal(who.name ?? who.id)}`)}</span>`}</span>
              </li>`,
            )}
            ${votes.votes.map(
              (vote) => html`<li class="row between">
                <span>${icon('check')} ${principal({ type: 'person', id: vote.person_id, name: vote.name })} ${vote.method === 'passkey' ? 'signed' : 'agreed'} ${ago(vote.at)}</span>
                ${vote === mine ? html`<button type="button" class="quiet" ?disabled=${this.busy} @click=${() => this.takeBack()}>Take back</button>` : nothing}
              </li>`,
            )}
          </ul>`
        : nothing}
    </section>`;
  }

  action(plan, action, i, open) {
    const rule = this.guardrails?.find((one) => one.name === action.verdict.rule);
    const many = plan.actions.length > 1;
    const past = open ? this.history?.[action.entity_key] : null;
    const connector = this.connectors?.[action.connector];
    const id = `a${i}`;
    return html`<section class="card action" aria-labelledby=${id}>
      <div class="action-head">
        ${open && many && can('plans:approve')
          ? html`<input
              type="checkbox"
              aria-labelledby=${id}
              .checked=${!this.left_.has(action.id)}
              @change=${(e) => this.choose(action, e.target.checked)}
            />`
          : nothing}
        <h3 id=${id}>${reveal(action.summary)}</h3>
        ${open && can('plans:amend') && !action.undo_of
          ? html`<button type="button" class="quiet" aria-label="Amend: ${action.summary}" @click=${() => this.amend(action)}>Amend</button>`
          : nothing}
      </div>
      <p class="row small">
        ${pill(action.verdict.decision)} ${tier(action.verdict.tier)}
        <code>${reveal(action.tool)}</code>
        <span class="muted">on</span> ${link(action.connector, connector ? reveal(connector) : 'its connector')}
        ${action.entity_key ? html`<span class="muted">touches</span> <code>${reveal(action.entity_key)}</code>` : nothing}
        ${action.undo_of ? html`<span class="muted">undoes</span> ${link(action.undo_of, 'an action')}` : nothing}
      </p>
      ${open ? this.why(action, rule, plan) : nothing}
      <h4>Arguments</h4>
      ${table(action.args, 'Arguments')}
      ${action.call
        ? html`<h4>The request, as it will be sent</h4>
            <div class="call">
              <p><b>${action.call.method}</b> ${reveal(action.call.url)}</p>
              ${action.call.body ? html`<pre tabindex="0" aria-label="Body">${reveal(action.call.body)}</pre>` : nothing}
            </div>`
        : nothing}
      ${past
        ? html`<h4>Before, with ${reveal(action.entity_key)}</h4>
            ${past.length
              ? html`<ul class="lines small">
                  ${past.map(
                    (one) => html`<li class="row between">
                      <span>${pill(one.ok ? 'applied' : one.error?.startsWith('outcome unknown') ? 'unknown' : one.disposition === 'BLOCK' ? 'refused' : 'failed')} ${link(one.id, one.tool)}${one.undone ? html` <span class="muted">undone</span>` : nothing}</span>
                      <span class="muted">${ago(one.disposed_at)}</span>
                    </li>`,
                  )}
                </ul>`
              : html`<p class="small muted">Nothing has been done with it yet.</p>`}`
        : nothing}
    </section>`;
  }

  why(action, rule, plan) {
    const { decision, reason } = action.verdict;
    if (reason === 'tool_changed')
      return html`<div class="note bad">${icon('cross')}<p>The tool has changed since this was proposed. It will not run.</p></div>`;
    if (!action.verdict.rule)
      return html`<div class="note bad">${icon('cross')}<p>No guardrail speaks for it, so it will be refused, approved or not.</p></div>`;
    const asked = rule ? conditions(rule, action) : [];
    return html`<div class="why">
      <p>
        ${SAYS[decision] ?? ''} guardrail
        <a href="#/guardrails/${plan.operator_id}"><b>${reveal(action.verdict.rule)}</b></a> matches
        <code>${reveal(rule?.tool ?? action.tool)}</code>${asked.length ? ':' : '.'}
      </p>
      ${asked.length
        ? html`<ul>
            ${asked.map((one) => html`<li>${one}</li>`)}
          </ul>`
        : nothing}
    </div>`;
  }

  choose(action, on) {
    if (on) this.left_.delete(action.id);
    else this.left_.add(action.id);
    this.requestUpdate();
  }

  bar(plan) {
    if (plan.waiting_on !== 'approval' || !can('plans:approve')) return nothing;
    const chosen = this.chosen().length;
    const of = plan.actions.length;
    const voted = this.mine() ? 'Vote anew: approve' : 'Approve';
    const said = of === 1 ? voted : chosen === of ? `${voted} all ${of}` : `${voted} ${chosen} of ${of}`;
    return html`<div class="bar">
      <details>
        <summary>Add a note</summary>
        <label class="hidden" for="note">Note</label>
        <textarea id="note" rows="2" maxlength="2000" .value=${this.note} @input=${(e) => { this.note = e.target.value; }}></textarea>
      </details>
      <div class="row">
        <button type="button" class="big" ?disabled=${this.busy} @click=${() => this.veto()}>
          Veto <kbd>v</kbd>
        </button>
        <button
          type="button"
          class="big primary grow"
          ?disabled=${this.busy || !chosen || !this.mayApprove()}
          @click=${() => this.approve()}
        >
          ${DOING[this.busy] ?? said} <kbd>a</kbd>
        </button>
      </div>
    </div>`;
  }

  /** What came of it, from the event to the receipts. */
  story(plan) {
    const { event, approval, receipts = [], actions = [] } = this;
    const actionOf = Object.fromEntries(actions.map((action) => [action.id, action]));
    const [votes, others] = [true, false].map((is) => receipts.filter((one) => (one.kind === 'approval') === is));
    const deciders = approval?.decided_by ?? plan.decided_by ?? [];
    return html`<section aria-labelledby="story">
      <h2 id="story" tabindex="-1">What happened</h2>
      <ol class="story">
        ${event
          ? html`<li>
              <p><b>Event</b> ${link(event.id, named(event.event_type))} <span class="muted">from</span> ${reveal(event.source)}</p>
              <p class="small muted">${when(event.created_at)}</p>
            </li>`
          : nothing}
        <li>
          <p><b>Plan</b> by ${principal(plan.proposed_by)}</p>
          <p class="small muted">${when(plan.proposed_at)}</p>
        </li>
        ${votes.map(vote)}
        ${plan.status === 'vetoed'
          ? html`<li class="bad">
              <p><b>${plan.withdrawn ? 'Withdrawn' : 'Vetoed'}</b> by ${principal(plan.vetoed_by_principal)}${plan.superseded_by ? html`, amended as ${link(plan.superseded_by)}` : nothing}</p>
              <p>“${reveal(plan.veto_reason ?? '')}”</p>
              <p class="small muted">${when(plan.disposed_at)}</p>
            </li>`
          : nothing}
        ${approval
          ? html`<li class="ok">
              <p><b>${link(approval.id, 'Approval')}</b> by ${deciders.map((one, i) => html`${i ? ' and ' : ''}${decided(one)}`)}</p>
              ${approval.note ? html`<p>“${reveal(approval.note)}”</p>` : nothing}
              <p class="small muted">${when(approval.approved_at)}</p>
            </li>`
          : nothing}
        ${others.map((receipt) => this.receipt(receipt, actionOf[receipt.action_id]))}
      </ol>
    </section>`;
  }

  receipt(receipt, action) {
    const kind = { applied: 'ok', refused: 'bad', failed: 'bad', unknown: 'warn' }[receipt.outcome] ?? '';
    const undo = receipt.outcome === 'applied' && receipt.kind === 'action' && action?.undoable && can('actions:write');
    const open = action && receipt.outcome === 'unknown' && !action.resolution && !action.holder_action_id;
    return html`<li class=${kind}>
      <div class="row between said">
        <p>${pill(receipt.outcome)} ${receipt.kind === 'undo' ? html`<b>Undo</b> ` : nothing}${reveal(receipt.summary ?? receipt.tool ?? receipt.kind)}</p>
        ${undo && !action.undone
          ? html`<button type="button" aria-label="Undo: ${receipt.summary}" ?disabled=${this.busy} @click=${() => this.undo(action)}>Undo</button>`
          : nothing}
        ${open && can('actions:write')
          ? html`<button type="button" ?disabled=${this.busy} @click=${() => this.resolve(action)}>Say what became of it</button>`
          : nothing}
      </div>
      ${action?.undone && receipt.kind === 'action' ? html`<p class="small">Undone by ${link(action.undo_action_id, 'another action')}.</p>` : nothing}
      ${receipt.error ? html`<p class="small bad-text">${reveal(receipt.error)}</p>` : nothing}
      ${receipt.outcome === 'refused' && !receipt.verdict?.rule ? html`<p class="small">No guardrail speaks for it.</p>` : nothing}
      ${action?.resolution ? html`<p class="small">Resolved: ${pill(action.resolution.outcome === 'applied' ? 'applied' : 'failed')} “${reveal(action.resolution.reason)}”</p>` : nothing}
      <p class="small muted">
        ${when(receipt.written_at)} · ${link(receipt.id, 'receipt')}${receipt.upstream_reference
          ? html` · <span class="id">${reveal(receipt.upstream_reference)}</span>`
          : nothing}
      </p>
    </li>`;
  }

  small(plan) {
    return html`<footer class="small-print">
      <dl>
        <div><dt>Plan</dt><dd>${link(plan.id)}</dd></div>
        ${plan.event_id ? html`<div><dt>Event</dt><dd>${link(plan.event_id)}</dd></div>` : nothing}
        <div><dt>Chain</dt><dd><a class="id" href="#/chains/${plan.correlation_id}/${plan.id}">${plan.correlation_id}</a></dd></div>
        <div><dt>Operator</dt><dd>${link(plan.operator_id)}</dd></div>
        ${plan.amends ? html`<div><dt>Amends</dt><dd>${link(plan.amends)}</dd></div>` : nothing}
        ${plan.actions.map(
          (action) => html`<div><dt>Digest</dt><dd class="id">${action.action_digest}</dd></div>`,
        )}
      </dl>
      ${raw(`/v1/plans/${plan.id}`, plan)}
    </footer>`;
  }
}

/** Who decided, and how; a key is how it decides. */
const METHOD = { passkey: ', signed with a passkey', session: ', signed in' };
const decided = (one) => html`${principal(one)}${METHOD[one.method] ?? nothing}`;

/** A vote that was given or taken back, of a plan that has ended: by whom, how and when. */
const vote = (receipt) => {
  const one = receipt.decided_by?.[0];
  const given = receipt.outcome === 'voted';
  return html`<li class=${given ? 'ok' : ''}>
    <p><b>${given ? 'Vote' : 'Vote taken back'}</b> by ${one ? (given ? decided(one) : principal(one)) : reveal(receipt.approver ?? '')}</p>
    ${receipt.note ? html`<p>“${reveal(receipt.note)}”</p>` : nothing}
    <p class="small muted">${when(receipt.written_at)} · ${link(receipt.id, 'receipt')}</p>
  </li>`;
};

const WHY = {
  self_approval: 'you proposed it, or who did is the same person.',
  group: 'it asks for members of groups that you are not in.',
  method: 'it asks for a person who signs in, or for a passkey.',
  policy_editor: 'you changed the rules that it goes by too recently.',
  suspended: 'you are suspended.',
  passkey_settling: 'your passkey is too new.',
  scope: 'you have no right to approve.',
};

/** Who is signed in, and has no passkey, can make one, and comes back. */
function why(reason) {
  const making = passkeyAddress();
  return reason === 'method' && making && !who().passkeys.length
    ? html`it is signed with a passkey, and you have none yet. <a href=${making} @click=${() => keepPlace(location.hash)}>Make one</a>.`
    : reveal(WHY[reason] ?? reason);
}

/** What actions ask for alike is said once: a requirement, and of which actions, if not of all. */
function together(requirements, plan) {
  const alike = new Map();
  for (const one of requirements) {
    const key = JSON.stringify([plain(one.count), one.groups, one.method, one.given.map((who) => who.id), plain(one.missing)]);
    const [, ids] = alike.get(key) ?? alike.set(key, [one, new Set()]).get(key);
    ids.add(one.action_id);
  }
  const said = (ids) =>
    ids.size === plan.actions.length ? null : plan.actions.filter((action) => ids.has(action.id)).map((action, i) => html`${i ? ', ' : ''}${reveal(action.summary)}`);
  return [...alike.values()].map(([one, ids]) => [one, said(ids)]);
}

const HOW = { passkey: 'by passkey', session: 'signed in' };
const requirement = (one) =>
  html`${plain(one.count ?? 1)}
  ${one.groups?.length ? html`of ${one.groups.map((group, i) => html`${i ? ' or ' : ''}<b>${reveal(group)}</b>`)}` : 'person who may approve'}${HOW[one.method] ? html`<span class="muted">, ${HOW[one.method]}</span>` : nothing}`;

customElements.define('gov-plan', Plan);
