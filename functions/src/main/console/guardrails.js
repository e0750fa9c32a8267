/* The guardrails of an operator, as a table and as JSON, and the effect of a change before it is saved. */
import { html, nothing } from 'lit';
import { can, digits, get, parse, send } from './api.js';
import { ask, tell } from './ask.js';
import { lines } from './policies.js';
import { icon, link, loading, long, pill, plain, raw, refusal, reveal, span, times, View, when } from './words.js';

const LAST = 50;
const text = (value) => JSON.stringify(value, null, 2);

class Guardrails extends View {
  static properties = { of: { attribute: false } };

  willUpdate(changed) {
    if (changed.has('of')) {
      Object.assign(this, { set: null, draft: null, checked: null, refused: null, read: false, wrong: null, unmatched: null });
      this.load();
    }
  }

  async load() {
    await this.trying(async () => {
      const [operator, set] = await Promise.all([
        get(`/v1/operators/${this.of}`),
        get(`/v1/operators/${this.of}/guardrails`),
      ]);
      this.put({ operator, set, draft: text(set.guardrails.map(shortened)) });
    });
  }

  rules() {
    try {
      const rules = parse(this.draft);
      if (!Array.isArray(rules)) throw new SyntaxError('Guardrails must be a list: [ … ].');
      // A value that cannot be shown as a guardrail is rejected here. The service checks the rest.
      rules.forEach(said);
      this.wrong = null;
      return rules;
    } catch (e) {
      this.wrong = e instanceof SyntaxError ? e.message : 'A guardrail has a field of the wrong type.';
      return null;
    }
  }

  edit(draft) {
    this.put({ draft, checked: null, read: false, unmatched: null });
  }

  /** Replaces a guardrail, or removes it. */
  change(at, rule) {
    const rules = this.rules();
    if (rules) this.edit(text(rule ? rules.map((old, i) => (i === at ? rule : old)) : rules.filter((_, i) => i !== at)));
  }

  async check() {
    const rules = this.rules();
    if (!rules) return this.requestUpdate();
    this.put({ busy: true, refused: null });
    await this.trying(async () => {
      const base = `/v1/operators/${this.of}/guardrails`;
      const actions = can('actions:read') ? (await get(`/v1/actions?operator_id=${this.of}&limit=${LAST}`)).data : [];
      const action_ids = actions.map((action) => action.id);
      const judged = (guardrails) =>
        action_ids.length ? send('POST', `${base}/simulate`, { action_ids, ...(guardrails ? { guardrails } : {}) }) : null;
      const [analysis, before, after] = await Promise.all([
        send('POST', `${base}/analyze`, { guardrails: rules }), judged(null), judged(rules),
      ]);
      const moved = actions
        .map((action, i) => ({ action, before: before?.verdicts[i], after: after?.verdicts[i] }))
        .filter((one) => one.before.decision !== one.after.decision);
      this.put({ checked: { analysis, of: actions.length, moved }, read: !analysis.permits_more.length, unmatched: analysis.matches_no_tool });
    });
    this.put({ busy: false });
    await this.seen(this.refused ? '[role=alert]' : '#would');
  }

  async save() {
    const guardrails = this.rules();
    if (!guardrails) return;
    const done = await ask({
      title: 'Save these guardrails?',
      text: 'They apply from the next action on. Looser guardrails do not unblock a plan that is already waiting.',
      fields: [{ name: 'note', label: 'Note' }],
      yes: 'Save',
      work: ({ note }, key) => {
        const expected_version = Number(digits(this.set.guardrails_version));
        return send('PUT', `/v1/operators/${this.of}/guardrails`, { guardrails, expected_version, ...(note ? { note } : {}) }, key);
      },
    });
    if (!done) return;
    tell(`Saved as version ${digits(done.guardrails_version)}.`);
    this.put({ checked: null, read: false, refused: null });
    await this.load();
    this.put({ unmatched: done.matches_no_tool });
  }

  render() {
    if (!this.set) return html`<div class="page">${this.refused ? refusal(this.refused) : loading}</div>`;
    const rules = this.rules() ?? [];
    const changed = this.draft !== text(this.set.guardrails.map(shortened));
    const may = can('operators:write');
    return html`<div class="page">
      <p class="small muted"><a href="#/operators">Operators</a> / ${link(this.of, reveal(this.operator.name))}</p>
      <h1>Guardrails <span class="muted">v${digits(this.set.guardrails_version)}</span></h1>
      <p class="muted">The first matching guardrail, by priority, decides; a blocking guardrail always wins. Actions with side effects that match no guardrail are blocked.</p>
      ${refusal(this.refused)}
      <div class="scroll" tabindex="0" role="region" aria-label="Guardrails">
        <table class="grid">
          <thead>
            <tr><th scope="col">Priority</th><th scope="col">Name</th><th scope="col">Decision</th><th scope="col">Tool</th><th scope="col">Conditions</th>${may ? html`<th scope="col"><span class="hidden">Change</span></th>` : nothing}</tr>
          </thead>
          <tbody>
            ${rules
              .map((rule, at) => [rule, at])
              .toSorted(([a], [b]) => order(a) - order(b))
              .map(([rule, at]) => this.row(rule, at, may))}
          </tbody>
        </table>
      </div>
      ${rules.length ? nothing : html`<p class="muted">No guardrails: all actions with side effects are blocked.</p>`}
      <details ?open=${Boolean(this.wrong)}>
        <summary>As JSON</summary>
        <label for="draft">Guardrails</label>
        <textarea id="draft" rows="18" spellcheck="false" class="code" ?readonly=${!may} .value=${this.draft} @input=${(e) => this.edit(e.target.value)}></textarea>
        ${this.wrong ? html`<p class="bad-text" role="alert">${this.wrong}</p>` : nothing}
      </details>
      ${may ? html`<p><button type="button" @click=${() => this.edit(text([...rules, fresh(rules)]))}>Add a guardrail</button></p>` : nothing}
      ${this.checked ? this.answer() : nothing}
      ${raw(`/v1/operators/${this.of}/guardrails`, this.set)}
      ${may && changed ? this.bar() : nothing}
    </div>`;
  }

  /** The steps that save a change, in order. It stays on the screen while there is a change. */
  bar() {
    const next = !this.checked ? 'Preview the effect before you save.' : this.read ? 'You can save this change.' : 'Review the newly permitted actions, then confirm.';
    return html`<div class="bar">
      <p class="small muted" role="status">${next}</p>
      <div class="row">
        <button type="button" class="quiet" @click=${() => this.edit(text(this.set.guardrails.map(shortened)))}>Discard</button>
        <button type="button" ?disabled=${this.busy || Boolean(this.wrong)} @click=${() => this.check()}>${this.busy ? 'Checking …' : 'Preview the effect'}</button>
        <button type="button" class="primary" ?disabled=${!this.checked || !this.read || this.busy} @click=${() => this.save()}>Save</button>
      </div>
    </div>`;
  }

  row(rule, at, may) {
    const asked = said(rule);
    return html`<tr class=${rule.enabled === false ? 'muted' : ''}>
      <td data-of="Priority"><div>${plain(rule.priority ?? 100)}</div></td>
      <td data-of="Name"><div><b>${reveal(rule.name ?? '')}</b>${rule.enabled === false ? html`<br /><span class="small">off</span>` : nothing}</div></td>
      <td data-of="Decision"><div>${pill(rule.decision)}</div></td>
      <td data-of="Tool"><div><code>${reveal(rule.tool ?? '')}</code>${this.unmatched?.includes(rule.name) ? html`<br /><span class="small warn-text">${icon('alert')} matches no tool</span>` : nothing}</div></td>
      <td data-of="Conditions" class="small"><div>${asked.length ? asked.map((one) => html`<div>${one}</div>`) : html`<span class="muted">always</span>`}</div></td>
      ${may
        ? html`<td data-of="">
            <button type="button" class="quiet" aria-label="Change ${rule.name}" @click=${() => this.open(rule, at)}>Change</button>
          </td>`
        : nothing}
    </tr>`;
  }

  async open(rule, at) {
    const conditions = rule.conditions ?? {};
    const shown = (value) => (value === null || value === undefined ? '' : plain(value));
    const said = await ask({
      title: `Guardrail ${rule.name}`,
      fields: [
        { name: 'name', label: 'Name', kind: 'text', needed: true, value: rule.name },
        { name: 'decision', label: 'Decision', kind: 'choice', needed: true, value: rule.decision, options: [['ALLOW', 'ALLOW: run'], ['ALERT', 'ALERT: require approval'], ['BLOCK', 'BLOCK: refuse'], ['', 'Remove this guardrail']] },
        { name: 'tool', label: 'Tool', kind: 'text', needed: true, value: rule.tool, hint: '* matches exactly one part between dots.' },
        { name: 'min_value', label: 'Value at least', kind: 'text', value: shown(conditions.min_value), pattern: NUMBER, hint: 'A number.' },
        { name: 'max_value', label: 'Value at most', kind: 'text', value: shown(conditions.max_value), pattern: NUMBER, hint: 'A number.' },
        { name: 'currency', label: 'Currency', kind: 'text', value: shown(conditions.currency) },
        { name: 'entity_key', label: 'Entity', kind: 'text', value: shown(conditions.entity_key), hint: 'May end in *.' },
        { name: 'priority', label: 'Priority', kind: 'text', value: shown(rule.priority ?? 100), pattern: '-?[0-9]+', hint: 'A whole number. Of the guardrails that match, the one with the lowest number decides. To change arguments, times, limits or approval, edit the JSON.' },
      ].map((field) => (field.name === 'decision' ? { ...field, needed: false } : field)),
      yes: 'Apply',
    });
    if (!said) return;
    if (!said.decision) return this.change(at, null);
    const kept = { ...conditions };
    for (const name of ['min_value', 'max_value', 'currency', 'entity_key']) {
      if (said[name] === '') delete kept[name];
      else if (said[name] !== shown(conditions[name])) kept[name] = said[name];
    }
    const next = { ...rule, name: said.name, decision: said.decision, tool: said.tool, conditions: kept };
    if (said.priority !== '' && said.priority !== shown(rule.priority ?? 100)) next.priority = Number(said.priority);
    if (!Object.keys(kept).length) delete next.conditions;
    this.change(at, next);
  }

  answer() {
    const { analysis, of, moved } = this.checked;
    const names = (found, of_) => found.map((one) => html`<li>${of_(one)}</li>`);
    return html`<section class="card" aria-labelledby="would" role="status">
      <h2 id="would" tabindex="-1">Effect of the change</h2>
      <h3>On the last ${of === 1 ? 'action' : `${of} actions`}</h3>
      ${moved.length
        ? html`<ul class="lines">${moved.map((one) => html`<li class="row between"><span>${link(one.action.id, reveal(one.action.tool))} <code>${reveal(one.action.entity_key ?? '')}</code></span><span>${pill(one.before.decision)} → ${pill(one.after.decision)}</span></li>`)}</ul>`
        : html`<p class="muted">${of ? 'All of them would get the same decision as now.' : 'There are no actions yet.'}</p>`}
      <h3>Newly permitted</h3>
      ${analysis.permits_more.length
        ? html`<ul class="lines">
              ${analysis.permits_more.map(
                (one) => html`<li>
                  <p class="row"><code>${reveal(one.action?.tool ?? '')}</code>${one.action?.value === undefined || one.action?.value === null ? nothing : html`<b>${plain(one.action.value)}</b>`} ${pill(one.before?.decision)} → ${pill(one.after?.decision)} <span class="muted">by</span> ${reveal(one.after?.rule ?? '')}</p>
                  ${one.approval_before ? html`<p class="small">Approval now: ${approval(one.approval_before)}. With the change: ${approval(one.approval_after)}.</p>` : nothing}
                  ${one.action?.at ? html`<p class="small muted">at ${when(one.action.at)}</p>` : nothing}
                  ${one.action?.args ? html`<p class="small muted">for example ${long(JSON.stringify(one.action.args))}</p>` : nothing}
                </li>`,
              )}
            </ul>
            <p class="row"><input type="checkbox" id="read" .checked=${this.read} @change=${(e) => this.put({ read: e.target.checked })} /><label for="read">I have reviewed the newly permitted actions.</label></p>`
        : html`<p class="row">${icon('check')} Nothing${analysis.complete === false ? ' was found, but not every case could be checked' : ''}.</p>`}
      ${analysis.unsatisfiable_approval?.length
        ? html`<h3>Approval policies that nobody can meet</h3>
            <ul>${names(analysis.unsatisfiable_approval, (one) => html`${reveal(one.guardrail)}: ${one.groups?.length ? html`too few people in ${reveal(one.groups.join(', '))}` : 'too few people'}`)}</ul>`
        : nothing}
      ${analysis.matches_no_tool?.length
        ? html`<h3>Guardrails that match no tool</h3>
            <p class="small muted">No connector here has such a tool. Check the name.</p>
            <ul>${names(analysis.matches_no_tool, reveal)}</ul>`
        : nothing}
      ${analysis.unreachable?.length ? html`<h3>Guardrails that never decide</h3><ul>${names(analysis.unreachable, (one) => reveal(typeof one === 'string' ? one : text(one)))}</ul>` : nothing}
      ${analysis.conflicts?.length ? html`<h3>Guardrails that contradict each other</h3><ul>${names(analysis.conflicts, (one) => reveal(typeof one === 'string' ? one : JSON.stringify(one)))}</ul>` : nothing}
      ${analysis.uncovered_tools?.length ? html`<h3>Tools with side effects that match no guardrail</h3><ul>${names(analysis.uncovered_tools, (one) => html`<code>${reveal(typeof one === 'string' ? one : (one.tool ?? text(one)))}</code>`)}</ul>` : nothing}
      ${analysis.unbound?.length ? html`<h3>Fields known only from the proposer</h3><ul>${names(analysis.unbound, (one) => html`${reveal(one.guardrail)}: ${one.field} of <code>${reveal(one.tool)}</code>`)}</ul>` : nothing}
    </section>`;
  }
}

/* The numbers that the dialog accepts. The service checks them further. */
const NUMBER = '-?[0-9]+([.][0-9]+)?';

/** An approval policy as one line. */
const approval = (policy) => (policy ? lines(policy).map((line, i) => html`${i ? '; ' : ''}${line}`) : 'anyone with the right to approve');

const order = (rule) => (rule.decision === 'BLOCK' ? -1e9 : 0) + Number(plain(rule.priority ?? 100));

/** A guardrail without its unset fields. */
function shortened(rule) {
  const short = Object.fromEntries(
    Object.entries(rule).filter(([name, value]) => value !== null && !(name === 'enabled' && value === true) && !(name === 'limits' && !value.length)),
  );
  if (short.conditions) {
    short.conditions = Object.fromEntries(Object.entries(short.conditions).filter(([, value]) => value !== null && !(Array.isArray(value) && !value.length)));
    if (!Object.keys(short.conditions).length) delete short.conditions;
  }
  return short;
}

function said(rule) {
  const asked = rule.conditions ?? {};
  const found = [];
  if (asked.min_value != null) found.push(`value ≥ ${plain(asked.min_value)}`);
  if (asked.max_value != null) found.push(`value ≤ ${plain(asked.max_value)}`);
  if (asked.currency != null) found.push(html`currency ${reveal(asked.currency)}`);
  if (asked.entity_key != null) found.push(html`entity <code>${reveal(asked.entity_key)}</code>`);
  if (asked.max_tier != null) found.push(`tier ≤ ${plain(asked.max_tier)}`);
  if (rule.connector) found.push(html`connector ${link(rule.connector)}`);
  for (const one of times(asked.within)) found.push(html`within ${one}`);
  for (const arg of asked.args ?? []) found.push(html`<code>${reveal(arg.path ?? '')}</code> ${reveal(plain(arg.op ?? '').replace('_', ' '))} ${arg.value === undefined ? '' : reveal(plain(arg.value))}`);
  for (const limit of rule.limits ?? [])
    found.push(`at most ${[limit.max_actions != null && `${plain(limit.max_actions)} actions`, limit.max_value != null && plain(limit.max_value)].filter(Boolean).join(' and ')} per ${plain(limit.per ?? 'entity')} in ${span(Number(plain(limit.window_seconds)))}`);
  if (rule.approval) for (const line of lines(rule.approval)) found.push(html`<span class="asks">${line}</span>`);
  return found;
}

const fresh = (rules) => {
  let at = rules.length + 1;
  while (rules.some((rule) => rule.name === `rule-${at}`)) at++;
  return { name: `rule-${at}`, decision: 'ALERT', tool: '*.*' };
};

customElements.define('gov-guardrails', Guardrails);
