/* People: adding and suspending them, their passkeys, and dialogs that show a secret once. */
import { html, nothing, render } from 'lit';
import { all, can, send } from './api.js';
import { ask } from './ask.js';
import { ago, icon, link, pill, reveal, when } from './words.js';

const OPERATE = ['operate', 'operate: approves, halts and undoes'];
const ADMIN = ['admin', 'admin: configures everything'];
const READ = ['read_only', 'read_only: can only read'];
const OF_PEOPLE = [OPERATE, READ, ADMIN];
const OF_KEYS = [['agent', 'agent: proposes'], ['ingest', 'ingest: sends events'], READ, OPERATE, ADMIN];

/** Shows a secret that nobody can read again. */
function once(title, text, secret) {
  const place = document.body.appendChild(document.createElement('div'));
  return new Promise((done) => {
    const close = () => {
      place.remove();
      done();
    };
    const copy = async (e) => {
      const button = e.currentTarget;
      await navigator.clipboard.writeText(secret);
      button.textContent = 'Copied';
    };
    render(
      html`<dialog aria-labelledby="once" @close=${close}>
        <h2 id="once">${title}</h2>
        <p>${text}</p>
        <pre tabindex="0" aria-label="Shown once">${secret}</pre>
        <div class="row end">
          <button type="button" @click=${copy}>Copy</button>
          <button type="button" class="primary" @click=${close}>Done</button>
        </div>
      </dialog>`,
      place,
    );
    place.firstElementChild.showModal();
  });
}

export async function makePerson() {
  // With a provider, the subject is required; without one, it is not allowed.
  const providers = await all('/v1/identity_providers');
  const subject = { name: 'subject', label: 'Subject at the identity provider', kind: 'text', needed: true, hint: 'The “sub” of this person there. They sign in at that provider.' };
  const one = await ask({
    title: 'Add a person',
    fields: [
      { name: 'name', label: 'Name', kind: 'text', needed: true },
      ...(providers.length ? [subject] : []),
      { name: 'role', label: 'Role', kind: 'choice', value: 'operate', options: OF_PEOPLE },
      { name: 'groups', label: 'Groups', kind: 'text', hint: 'Separated by commas, as approval policies name them.' },
    ],
    yes: 'Add',
    work: ({ role, groups, ...said }, key) =>
      send('POST', '/v1/people', { ...said, bindings: [{ role }], groups: groups.split(',').map((group) => group.trim()).filter(Boolean) }, key),
  });
  if (!one) return;
  if (one.enrolment_url) await enrolment(one.name, one.enrolment_url);
  location.hash = `#/people/${one.id}`;
}

const enrolment = (name, url) =>
  once(`Send this to ${name}`, 'Anybody who opens it can enrol the passkey of this person. It works once, within a day, and is not shown again.', url);

const isAgent = ({ role }) => role === 'agent';

export async function makeKey() {
  const operators = can('operators:read') ? (await all('/v1/operators')).filter((one) => one.status !== 'archived') : [];
  const bound = {
    name: 'operator_ids',
    label: 'Operators that it proposes for',
    kind: 'several',
    needed: true,
    options: operators.map((one) => [one.id, reveal(one.display_name ?? one.name)]),
    hint: operators.length
      ? 'The key proposes for these operators and reads their data. Everything else reads as not found.'
      : html`There is no operator yet. <a href="#/operators">Create one</a> first. Only the API creates a key without operators.`,
    when: isAgent,
  };
  const one = await ask({
    title: 'Create a key',
    fields: [
      { name: 'name', label: 'Name', kind: 'text', needed: true },
      { name: 'role', label: 'Role', kind: 'choice', value: 'agent', options: OF_KEYS },
      bound,
    ],
    yes: 'Create',
    work: ({ operator_ids, ...said }, key) => send('POST', '/v1/keys', isAgent(said) ? { ...said, operator_ids } : said, key),
  });
  if (!one) return;
  await once(`Secret of ${one.name}`, 'Copy the secret now. It is not shown again.', one.secret);
  location.hash = `#/keys/${one.id}`;
}

/** Suspends a person. Returns the answer, which lists their keys. */
export const suspend = (one) =>
  ask({
    title: `Suspend ${one.name}?`,
    text: 'They are signed out everywhere, and the keys that they own are refused until they are active again, or until the key has another owner.',
    yes: 'Suspend',
    danger: true,
    work: () => send('PATCH', `/v1/people/${one.id}`, { status: 'suspended' }),
  });

async function activate(list, one) {
  await list.doing(() => send('PATCH', `/v1/people/${one.id}`, { status: 'active' }));
}

async function enrolAgain(list, one) {
  await list.doing(async () => {
    const { url } = await send('POST', '/v1/sign_in/tickets', { person_id: one.id });
    await enrolment(one.name, url);
  });
}

async function removePasskey(list, passkey) {
  const done = await ask({
    title: `Remove “${passkey.name}”?`, text: 'From now on, it signs nobody in and signs nothing.', yes: 'Remove', danger: true,
    work: () => send('DELETE', `/v1/passkeys/${passkey.id}`, undefined),
  });
  if (done) await list.load();
}

/** The status of a person, or `invited` until they first sign in or enrol a passkey. */
export const state = (one) => (one.status === 'active' && !one.passkeys.length && !one.last_seen_at ? 'invited' : one.status);

/** The buttons of a person's page. */
export function buttons(list, one) {
  if (!can('people:write')) return nothing;
  return html`${state(one) === 'invited' && !one.identity_provider_id ? html`<button type="button" @click=${() => enrolAgain(list, one)}>New enrolment address</button>` : nothing}
  ${one.status === 'active'
    ? html`<button type="button" class="danger" @click=${() => list.doing(async () => { const told = await suspend(one); if (told) list.put({ told }); })}>Suspend</button>`
    : html`<button type="button" @click=${() => activate(list, one)}>Reactivate</button>`}`;
}

const keys = (found) => found.map((key, i) => html`${i ? ', ' : ''}${link(key.id, reveal(key.name))}`);

/** The roles, groups and passkeys of a person. */
export const person = (list, one) => html`
  ${list.told?.keys?.length || list.told?.made_keys?.length
    ? html`<div class="note warn">${icon('key')}<div>
        ${list.told.keys.length ? html`<p>Refused from now on, because this person owns them: ${keys(list.told.keys)}.</p>` : nothing}
        ${list.told.made_keys.length ? html`<p>Created by this person, and still working: ${keys(list.told.made_keys)}.</p>` : nothing}
      </div></div>`
    : nothing}
  <section aria-labelledby="roles">
    <h2 id="roles">Roles and groups</h2>
    <ul class="lines card">
      ${one.bindings.length
        ? one.bindings.map((binding) => html`<li class="row between"><b>${binding.role}</b><span class="muted">${binding.workspace_id ? html`in ${reveal(binding.workspace_id)}` : 'in all workspaces'}</span></li>`)
        : html`<li class="muted">No role, and so no permissions.</li>`}
      ${one.groups.map((group) => html`<li class="row between"><span>${reveal(group)}</span><span class="muted">group</span></li>`)}
    </ul>
  </section>
  <section aria-labelledby="passkeys">
    <h2 id="passkeys">Passkeys</h2>
    <ul class="lines card">
      ${one.passkeys.length
        ? one.passkeys.map(
            (passkey) => html`<li class="row between">
              <span><b>${reveal(passkey.name)}</b> <span class="small muted">created ${ago(passkey.created_at)}, ${passkey.last_used_at ? html`last used ${ago(passkey.last_used_at)}` : 'never used'}</span></span>
              <span class="row">
                ${passkey.settles_at && new Date(passkey.settles_at) > Date.now() ? html`<span class="small warn-text">cannot decide before ${when(passkey.settles_at)}</span>` : pill('active')}
                ${can('people:write') ? html`<button type="button" class="quiet" aria-label="Remove ${passkey.name}" @click=${() => removePasskey(list, passkey)}>Remove</button>` : nothing}
              </span>
            </li>`,
          )
        : html`<li class="muted">None yet. They enrol the first one at their enrolment address, or after signing in.</li>`}
    </ul>
  </section>`;
