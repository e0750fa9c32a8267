/* Approval policies in words, and the default policies of the tiers, which apply if a guardrail has none. */
import { html, nothing } from 'lit';
import { can, get, send } from './api.js';
import { ask, tell } from './ask.js';
import { loading, own, plain, raw, refusal, reveal, span, tier, View } from './words.js';

const HOW = { passkey: 'with a passkey signature', session: 'signed in', key: 'or a key' };

/** A requirement: a number of people, and their groups. */
const part = ({ count = 1, groups = [] }) =>
  html`<b>${plain(count)}</b> ${groups.length
    ? html`of ${groups.map((group, i) => html`${i ? ' or ' : ''}<b>${reveal(group)}</b>`)}`
    : html`${Number(plain(count)) > 1 ? 'people' : 'person'} who may approve`}`;

/** The requirements of an approval policy, one line each. */
export function lines(policy) {
  const asked = policy.all_of?.length ? policy.all_of : [{}];
  const found = [html`${asked.map((one, i) => html`${i ? ' and ' : ''}${part(one)}`)}, ${own(HOW, policy.method ?? 'session') ?? reveal(policy.method)}`];
  if (policy.within_seconds != null) found.push(`within ${span(Number(plain(policy.within_seconds)))}`);
  if (policy.not_policy_editor_seconds != null && Number(plain(policy.not_policy_editor_seconds)) > 0)
    found.push(`excludes people who changed what it relies on in the last ${span(Number(plain(policy.not_policy_editor_seconds)))}, and people or group members who are new since`);
  if (policy.not_proposer === false) found.push('the people behind the proposal may approve, except its proposer');
  return found;
}

/** The requirements as text, one line each: `2 × finance, treasury`. */
const written = (policy) =>
  (policy?.all_of ?? [])
    .filter((one) => one.groups.length || Number(plain(one.count)) > 1)
    .map((one) => `${Number(plain(one.count)) > 1 ? `${plain(one.count)} × ` : ''}${one.groups.join(', ')}`)
    .join('\n');

function read(text) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [, count, groups] = /^(?:(\d+)\s*[×x*]\s*)?(.*)$/.exec(line);
      return { count: Number(count ?? 1), groups: groups.split(',').map((group) => group.trim()).filter(Boolean) };
    });
}

/** The policy from the dialog's values; null for no policy. */
function changed(policy, said) {
  if (!said.method) return null;
  const next = { ...policy, method: said.method, all_of: read(said.all_of), within_seconds: said.hours ? Math.round(Number(said.hours) * 3600) : null };
  if (!next.all_of.length) delete next.all_of;
  return next;
}

class Policies extends View {
  connectedCallback() {
    super.connectedCallback();
    this.load();
  }

  async load() {
    await this.trying(async () => this.put({ set: await get('/v1/approval_defaults') }));
  }

  async change(level) {
    const policy = this.set.tiers[level];
    const set = await ask({
      title: `Approval default for tier ${level}`,
      text: 'It applies to plans proposed from now on, if the guardrail that holds them has no approval policy of its own.',
      fields: [
        {
          name: 'method', label: 'Method', kind: 'choice', value: policy?.method ?? '',
          options: [['', 'No policy'], ['session', 'A signed-in person'], ['passkey', 'A person who signs with a passkey'], ['key', 'A person or a key']],
        },
        { name: 'all_of', label: 'Groups', value: written(policy), hint: 'One line for each required approver: their groups, separated by commas. “2 × finance” requires two. Leave it empty for anybody who may approve.' },
        { name: 'hours', label: 'Time limit in hours', kind: 'text', pattern: '[0-9]+([.][0-9]+)?', value: policy?.within_seconds == null ? '' : String(Number(plain(policy.within_seconds)) / 3600), hint: 'A number, such as 4 or 0.5.' },
      ],
      yes: 'Change',
      work: (said, key) => send('PATCH', '/v1/approval_defaults', { tiers: { [level]: changed(policy, said) } }, key),
    });
    if (!set) return;
    tell(`The default for tier ${level} has changed.`);
    this.put({ set, refused: null });
  }

  render() {
    return html`<div class="page">
      <h1>Approval defaults</h1>
      <p class="muted">The approval policy for each tier of action, if the guardrail that holds the action has none of its own. A guardrail has its policy in <code>approval</code>.</p>
      ${refusal(this.refused)}
      ${this.set
        ? html`<ul class="cards">
              ${['3', '2', '1', '0'].map((level) => this.row(level, this.set.tiers[level]))}
            </ul>
            ${raw('/v1/approval_defaults', this.set)}`
        : this.refused
          ? nothing
          : loading}
    </div>`;
  }

  row(level, policy) {
    return html`<li class="card row between top">
      <div>
        <p>${tier(Number(level))}</p>
        ${policy
          ? html`<ul class="tier-says">${lines(policy).map((one) => html`<li>${one}</li>`)}</ul>`
          : html`<p class="muted tier-says">Anybody who may approve and did not propose the plan.</p>`}
      </div>
      ${can('operators:write') ? html`<button type="button" class="quiet" aria-label="Change tier ${level}" @click=${() => this.change(level)}>Change</button>` : nothing}
    </li>`;
  }
}

customElements.define('gov-policies', Policies);
