/* Passkeys: made, and signing. What is signed is what the service says in its own words, and nothing of this page's. */
import { html, nothing } from 'lit';
import { keptPlace, passkeyAddress, send, who } from './api.js';
import { refusal, reveal, View } from './words.js';

/* What a browser will not do, and what helps. */
const NOT_DONE = {
  InvalidStateError: 'This device has a passkey of yours already.',
  SecurityError: 'At this address passkeys do not work: the console has to be opened by the name of its host.',
};

/** What somebody calls off, or has no passkey for, is no failure: null. */
async function asked(ask) {
  try {
    return await ask();
  } catch (e) {
    if (e.name === 'NotAllowedError') return null;
    if (e instanceof DOMException) throw { status: 0, message: NOT_DONE[e.name] ?? `Your browser says: ${e.message}` };
    throw e;
  }
}

/** What a passkey signs for a challenge. */
export async function signed({ challenge_id, public_key }) {
  const credential = await asked(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(public_key) }),
  );
  return credential && { challenge_id, assertion: credential.toJSON() };
}

/** Signs in by whichever passkey is picked; whether anybody was. */
export async function signInByPasskey() {
  const signature = await signed(await send('POST', '/v1/sign_in/passkey/challenges'));
  if (signature) await send('POST', '/v1/sign_in/passkey', signature);
  return signature !== null;
}

/** Makes one; whether it was. Whoever is signed in by an older one has that sign for it. */
async function enrol(name) {
  const { challenge_id, public_key } = await send('POST', '/v1/passkeys/challenges');
  const credential = await asked(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(public_key) }),
  );
  if (!credential) return false;
  const made = { challenge_id, name, attestation: credential.toJSON() };
  if (who()?.session?.method === 'passkey') {
    const older = await vouched(public_key, made.attestation);
    if (!older) return false;
    made.assertion = older;
  }
  await send('POST', '/v1/passkeys', made);
  return true;
}

/** What an older passkey signs for a new one; null if none did. */
async function vouched({ challenge, rp, excludeCredentials }, { response }) {
  const lines = `passkey.enrol.v1\n${challenge}\n${response.attestationObject}`;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(lines)));
  const credential = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        ...PublicKeyCredential.parseRequestOptionsFromJSON({ challenge, rpId: rp.id, allowCredentials: excludeCredentials, userVerification: 'required' }),
        challenge: digest,
      },
    }),
  );
  return credential && credential.toJSON();
}

/** Whoever has a ticket for their first passkey can make it, and nothing else; all others come here to make another. */
class Enrol extends View {
  constructor() {
    super();
    // Made before this page was loaded again.
    this.made = who()?.session?.method === 'enrolment' && who().passkeys.length > 0;
  }

  async make() {
    this.put({ busy: true, refused: null });
    await this.trying(async () => {
      if (await enrol(this.querySelector('input').value.trim() || 'passkey')) this.put({ made: true });
    });
    this.put({ busy: false });
  }

  async enter() {
    this.put({ busy: true, refused: null });
    await this.trying(async () => {
      if (await signInByPasskey()) location.reload();
    });
    this.put({ busy: false });
  }

  /** Who is signed in already goes back to where they came from. */
  leave() {
    history.replaceState(null, '', location.pathname + location.search + (keptPlace() ?? ''));
    location.reload();
  }

  render() {
    const signedIn = who()?.session?.method !== 'enrolment';
    const again = who()?.session?.method === 'issuer' ? passkeyAddress() : null;
    return html`<main class="sign-in">
      <div class="card">
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" /><path d="M9 16.5l5 5 9-11" /></svg>
        <h1>Welcome, ${reveal(who()?.principal.name ?? '')}</h1>
        ${refusal(this.refused)}
        ${this.refused && again
          ? html`<p class="small"><a href=${again}>Show once more who you are</a>, and make it within five minutes.</p>`
          : nothing}
        ${this.made
          ? signedIn
            ? html`<p>Your passkey is enrolled. You sign with it what you approve.</p>
                <button type="button" class="primary" @click=${() => this.leave()}>Go on</button>`
            : html`<p>Your passkey is enrolled. Sign in with it now, and from now on.</p>
                <button type="button" class="primary" ?disabled=${this.busy} @click=${() => this.enter()}>Sign in</button>`
          : html`<p>Make a passkey. You sign in with it, and sign what you approve. It stays on your device.</p>
              ${signedIn && who()?.passkeys.length
                ? html`<p class="small muted">It is for another device, or a key that you plug in: your browser asks where to make it${again ? '' : ', and then for one that you have'}.</p>`
                : nothing}
              <div><label for="called">What to call it</label><input id="called" maxlength="100" value="This device" autocomplete="off" /></div>
              <button type="button" class="primary" ?disabled=${this.busy} @click=${() => this.make()}>Make a passkey</button>
              ${signedIn ? html`<button type="button" class="quiet" ?disabled=${this.busy} @click=${() => this.leave()}>Not now</button>` : nothing}`}
        ${this.busy ? html`<p class="small muted" role="status">Your browser asks you …</p>` : nothing}
      </div>
    </main>`;
  }
}

customElements.define('gov-enrol', Enrol);
