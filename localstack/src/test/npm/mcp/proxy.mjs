// Passes requests on with a key, for judges that have none: URL KEY. Writes its port, and ends with its input.
import http from 'node:http';

const [url, key] = process.argv.slice(2);
const to = new URL(url);
const server = http.createServer((request, response) => {
  const headers = { ...request.headers, authorization: `Bearer ${key}` };
  const onward = { host: to.hostname, port: to.port, path: to.pathname, method: request.method, headers };
  const passed = http.request(onward, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  request.pipe(passed);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('end', () => process.exit(0)).resume();
