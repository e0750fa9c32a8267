/* Questions before an action, and short notes after it. */
import { html, nothing, render } from 'lit';
import { icon, refusal } from './words.js';

/** Milliseconds for which a window must have had the focus before a key decides anything in it. */
export const STEADY = 1000;

/*
 * Held keys, as far as this page has seen. A key that was pressed before this page had the focus counts as not pressed here.
 * The repeats of a held key are not presses; in a text field they still type.
 */
const held = new Set();
const again = new WeakSet();
let since = 0;
const look = () => {
  held.clear();
  since = document.hasFocus() && !document.hidden ? performance.now() : Infinity;
};
look();
window.addEventListener('focus', look);
window.addEventListener('blur', look);
document.addEventListener('visibilitychange', look);
window.addEventListener(
  'keydown',
  (e) => {
    const key = e.code || e.key;
    if (e.repeat || held.has(key)) again.add(e);
    held.add(key);
    if (e.key !== 'Enter' || fresh(e) || e.target.closest?.('textarea')) return;
    e.preventDefault();
    e.stopImmediatePropagation();
  },
  true,
);
window.addEventListener(
  'keyup',
  (e) => {
    held.delete(e.code || e.key);
    // While this key is down, browsers do not report the release of others.
    if (e.key === 'Meta') held.clear();
  },
  true,
);

/** Returns whether the event is a new press, not the repeat of a held key. */
export const fresh = (e) => !again.has(e);

/** Returns whether this window has had the focus for a second. */
export const steady = () => performance.now() - since >= STEADY;

/**
 * Asks a question in a dialog. Returns the values by field name, or null if the user cancels. With `work`, the dialog stays
 * open until the work is done and returns its result; it shows a refusal and keeps the typed values.
 *
 * fields: {name, label, kind: 'text' | 'area' | 'choice' | 'several', options: [[value, label]], needed, value, hint, pattern, when}
 * several: a checkbox for each option; its value is the list of the selected ones
 * when: (said) => whether the field is shown, given the values so far
 * choice: false if there is nothing to cancel
 * enter: whether Enter confirms; the title has the focus first, so that a held key presses no button
 * work: (said, key) => promise; the key stays the same if the same values are sent again after an unknown outcome
 */
export function ask({ title, text, fields = [], yes, danger = false, body = nothing, work = null, choice = true, enter = false }) {
  const place = document.body.appendChild(document.createElement('div'));
  let busy = false;
  let refused = null;
  let sent = null;
  let key = null;
  let lacking = null;
  let said = Object.fromEntries(fields.map(({ name, value = '' }) => [name, value]));
  return new Promise((answer) => {
    const close = (value) => {
      window.removeEventListener('hashchange', left);
      window.removeEventListener('signed-out', left);
      place.remove();
      answer(value);
    };
    // The question belongs to the page and the principal that it was shown to.
    const left = () => close(null);
    window.addEventListener('hashchange', left);
    window.addEventListener('signed-out', left);
    const submit = async (e) => {
      e.preventDefault();
      if (busy) return;
      const form = e.target;
      const said = saidIn(form);
      const missing = shown(said).find((field) => field.needed && !said[field.name]?.length);
      if (missing?.kind === 'several') {
        lacking = missing.name;
        show();
        form.querySelector('fieldset input')?.focus();
      } else if (missing) {
        form.elements[missing.name].value = '';
        form.elements[missing.name].reportValidity();
      } else if (work) {
        await doing(said);
      } else {
        close(said);
      }
    };
    const entered = (e) => {
      if (enter && e.key === 'Enter' && e.target.id === 'asked' && steady()) place.querySelector('form').requestSubmit();
    };
    const doing = async (said) => {
      if (JSON.stringify(said) !== sent) key = crypto.randomUUID();
      sent = JSON.stringify(said);
      busy = true;
      refused = null;
      show();
      try {
        close((await work(said, key)) ?? true);
      } catch (e) {
        busy = false;
        if (e.status === undefined) {
          close(null);
          throw e;
        }
        if (e.status) sent = null;
        refused = e;
        show();
        place.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' });
      }
    };
    const shown = (said) => fields.filter((field) => !field.when || field.when(said));
    const saidIn = (form) => {
      const said = {};
      for (const { name, kind } of fields) {
        const found = [...form.elements].filter((element) => element.name === name);
        if (kind === 'several') said[name] = found.filter((box) => box.checked).map((box) => box.value);
        else if (found.length) said[name] = found[0].value.trim();
      }
      return said;
    };
    // Fields may depend on the values so far.
    const changed = (e) => {
      said = saidIn(e.currentTarget);
      lacking = null;
      show();
    };
    const show = () =>
      render(
        html`<dialog aria-labelledby="asked" @keydown=${entered} @cancel=${(e) => { if (busy) e.preventDefault(); }} @close=${() => close(null)}>
          <form @submit=${submit} @change=${changed}>
            <h2 id="asked" tabindex=${enter ? '-1' : nothing}>${title}</h2>
            ${text ? html`<p>${text}</p>` : nothing} ${body} ${shown(said).map((one) => field(one, lacking === one.name))} ${refusal(refused)}
            <div class="row end">
              ${choice ? html`<button type="button" class="quiet" ?disabled=${busy} @click=${() => close(null)}>Cancel</button>` : nothing}
              <button type="submit" class=${danger ? 'danger' : 'primary'} ?disabled=${busy}>${yes}</button>
            </div>
          </form>
        </dialog>`,
        place,
      );
    show();
    place.firstElementChild.showModal();
    place.querySelector(enter ? '#asked' : 'textarea, select, input')?.focus();
  });
}

function field({ name, label, kind = 'area', options = [], needed, value = '', hint, pattern }, lacking) {
  const id = `ask-${name}`;
  if (kind === 'several')
    return html`<fieldset aria-describedby=${`${id}-hint`}>
      <legend>${label}</legend>
      <div>
        ${options.map(([of, said]) => html`<label><input type="checkbox" name=${name} value=${of} aria-invalid=${lacking ? 'true' : 'false'} />${said}</label>`)}
        ${lacking ? html`<p class="bad-text" role="alert">${options.length ? 'Select at least one.' : 'There is nothing to select.'}</p>` : nothing}
        <p class="small muted hint" id=${`${id}-hint`}>${hint}</p>
      </div>
    </fieldset>`;
  return html`<label for=${id}>${label}${needed || kind === 'choice' ? nothing : html` <span class="muted">(optional)</span>`}</label>
    ${kind === 'choice'
      ? html`<select id=${id} name=${name}>
          ${options.map(([of, said]) => html`<option value=${of} ?selected=${of === value}>${said}</option>`)}
        </select>`
      : kind === 'text'
        ? html`<input id=${id} name=${name} .value=${value} ?required=${needed} pattern=${pattern ?? nothing} autocomplete="off" />`
        : html`<textarea id=${id} name=${name} rows="3" maxlength="2000" ?required=${needed} .value=${value}></textarea>`}
    ${hint ? html`<p class="small muted hint">${hint}</p>` : nothing}`;
}

/** Shows a note below the header, also to screen readers. Except on its links, clicks pass through the note. */
export function tell(text, kind = 'ok') {
  const place = document.querySelector('.told');
  if (!place) return;
  const said = document.createElement('div');
  said.className = `note ${kind}`;
  render(html`${icon(kind === 'ok' ? 'check' : 'cross')}<p>${text}</p>`, said);
  place.replaceChildren(said);
  setTimeout(() => said.remove(), 6000);
}
