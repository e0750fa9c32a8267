/* Creates a key for the command line that opened this page, and sends it to that program only. */
import { html, nothing } from 'lit';
import { can, send, who } from './api.js';
import { refusal, reveal, View } from './words.js';

const DAYS = 90;
const ROLES = [
  ['operate', 'Decide: approve, veto, undo, halt'],
  ['read_only', 'Read only'],
  ['admin', 'Everything that you may do, including keys and people'],
];

/** The code that both sides show: the first eight hexadecimal digits of the SHA-256 of their shared state. */
async function code(state) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(state));
  const hex = [...new Uint8Array(digest.slice(0, 4))].map((one) => one.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 4)}-${hex.slice(4)}`.toUpperCase();
}

/** The port and state of the waiting program on this machine, as in the address. */
const asked = /^(\d{4,5})\.([\w-]{43})$/;

class Login extends View {
  static properties = { of: {} };

  async willUpdate(changed) {
    if (!changed.has('of')) return;
    const [, port, state] = asked.exec(this.of ?? '') ?? [];
    this.put({ port, state, code: state && (await code(state)) });
  }

  async give(e) {
    e.preventDefault();
    const { role } = Object.fromEntries(new FormData(e.target));
    this.put({ busy: true, refused: null });
    await this.trying(async () => {
      const { principal } = who();
      const key = await send('POST', '/v1/keys', {
        name: `gov, ${principal.name}`.slice(0, 100),
        role,
        expires_at: new Date(Date.now() + DAYS * 86_400_000).toISOString(),
        ...(principal.type === 'person' ? { owner: principal.id } : {}),
      });
      // The address of this page is used up. The key goes in a body and never in an address.
      history.replaceState(null, '', `${location.pathname}${location.search}#/keys`);
      const form = document.createElement('form');
      form.method = 'post';
      form.action = `http://127.0.0.1:${this.port}/`;
      for (const [name, value] of Object.entries({ state: this.state, key: key.secret })) {
        const field = document.createElement('input');
        Object.assign(field, { type: 'hidden', name, value });
        form.append(field);
      }
      document.body.append(form);
      form.submit();
      form.remove();
    });
    this.put({ busy: false });
  }

  render() {
    return html`<div class="page">
      <h1>Log in the command line</h1>
      ${refusal(this.refused)} ${this.port ? this.question() : html`<p>This address does not come from <code>gov login</code>.</p>`}
    </div>`;
  }

  question() {
    if (!can('keys:write'))
      return html`<p>You may not create keys, ${reveal(who().principal.name)}. Ask an administrator for one, then use <code>gov login --key</code>.</p>`;
    return html`<form class="card questions" @submit=${(e) => this.give(e)}>
      <p>A program on this computer asks for a key. Continue only if you have just run <code>gov login</code> and it shows this code:</p>
      <p class="said-code"><code>${this.code ?? '…'}</code></p>
      <fieldset>
        <legend>Permissions of the key, for ${DAYS} days</legend>
        ${ROLES.map(
          ([role, said], i) => html`<label><input type="radio" name="role" value=${role} ?checked=${i === 0} /> <span>${said}</span></label>`,
        )}
      </fieldset>
      ${who().principal.type === 'person' ? html`<p class="small muted">You own the key. If you are suspended, it stops working.</p>` : nothing}
      <button type="submit" class="primary" ?disabled=${this.busy || !this.code}>Give it a key</button>
    </form>`;
  }
}

customElements.define('gov-login', Login);
