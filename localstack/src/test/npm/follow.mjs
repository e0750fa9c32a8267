// Follows an event stream with a client that we did not write, and prints what it is told:
//   follow URL KEY
// Given to node on its standard input, so that the packages of the folder it runs in are found.
import { EventSource } from 'eventsource';

const [url, key] = process.argv.slice(2);
const source = new EventSource(url, {
  fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, Authorization: `Bearer ${key}` } }),
});
source.addEventListener('open', () => console.log('open'));
source.addEventListener('envelope', (event) => {
  const envelope = JSON.parse(event.data);
  console.log(envelope.event_id === event.lastEventId ? event.lastEventId : `! ${event.lastEventId}`);
});
