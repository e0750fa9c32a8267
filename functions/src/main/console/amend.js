/* Amending: a new plan with other arguments replaces the old one and gets new verdicts. */
import { html, render } from 'lit';
import { isNumber, parse, send } from './api.js';
import { icon, plain, refusal, reveal } from './words.js';

/** Asks for other arguments of an action. Returns the plan that replaces this one, or null. */
export function openAmend(plan, action) {
  const place = document.body.appendChild(document.createElement('div'));
  const fields = Object.entries(action.args);
  let refused = null;
  let busy = false;
  return new Promise((answer) => {
    const close = (value) => {
      window.removeEventListener('hashchange', left);
      window.removeEventListener('signed-out', left);
      place.remove();
      answer(value);
    };
    const left = () => close(null);
    window.addEventListener('hashchange', left);
    window.addEventListener('signed-out', left);
    const submit = async (e) => {
      e.preventDefault();
      const form = e.target;
      // Pairs, because JavaScript reserves some names that an argument may have.
      const pairs = [];
      for (const [name, before] of fields) {
        const field = form.elements[`arg-${pairs.length}`];
        const text = field.value;
        field.setCustomValidity('');
        // A field may change line ends, so an untouched value keeps its original text.
        if (text === untouched[pairs.length]) {
          pairs.push([name, before]);
          continue;
        }
        if (typeof before === 'string') {
          pairs.push([name, text]);
          continue;
        }
        try {
          pairs.push([name, parse(text)]);
        } catch {
          field.setCustomValidity('This must be JSON, as it was before: for example a number, true, or { … }.');
          field.reportValidity();
          return;
        }
      }
      busy = true;
      refused = null;
      show();
      try {
        const note = form.elements.note.value.trim();
        close(
          await send('POST', `/v1/plans/${plan.id}/amend`, {
            actions: [{ action_id: action.id, args: Object.fromEntries(pairs) }],
            ...(note ? { note } : {}),
          }),
        );
      } catch (e2) {
        busy = false;
        refused = e2;
        show();
        place.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' });
      }
    };
    const field = ([name, value], i) => {
      const id = `arg-${i}`;
      const text = typeof value === 'string' ? value : isNumber(value) ? plain(value) : JSON.stringify(value, null, 2);
      const many = text.length > 60 || text.includes('\n');
      return html`<label for=${id}>${reveal(name)}${typeof value === 'string' ? '' : html` <span class="muted">JSON</span>`}</label>
        ${many
          ? html`<textarea id=${id} name=${id} rows="4" spellcheck="false">${text}</textarea>`
          : html`<input id=${id} name=${id} value=${text} autocomplete="off" spellcheck="false" />`}`;
    };
    const show = () =>
      render(
        html`<dialog aria-labelledby="asked" @close=${() => close(null)}>
          <form @submit=${submit}>
            <h2 id="asked">Amend</h2>
            <p>${reveal(action.summary)}</p>
            <p class="small muted">
              This plan is vetoed, and a new plan with new verdicts replaces it. You become one of its proposers, so
              someone else must approve it.
            </p>
            ${fields.map(field)}
            <label for="arg-note-of">Note <span class="muted">(optional)</span></label>
            <textarea id="arg-note-of" name="note" rows="2" maxlength="2000"></textarea>
            ${refusal(refused)}
            <div class="row end">
              <button type="button" class="quiet" @click=${() => close(null)}>Cancel</button>
              <button type="submit" class="primary" ?disabled=${busy}>${icon('check')}${busy ? 'Amending …' : 'Amend'}</button>
            </div>
          </form>
        </dialog>`,
        place,
      );
    show();
    const untouched = fields.map((_, i) => place.querySelector('form').elements[`arg-${i}`].value);
    place.firstElementChild.showModal();
    place.querySelector('input, textarea')?.focus();
  });
}
