// An issuer of OpenID Connect that nobody here wrote: oidc-provider, with its pages for development, at which
// whoever signs in is who they type. Says where it is in one line, and ends when its input does.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const server = createServer((request, response) => handle(request, response));
let handle;
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [],
    scopes: ['openid', 'profile', 'email', 'groups'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email'], groups: ['groups'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true }, registration: { enabled: true } },
    async findAccount(_, id) {
      return {
        accountId: id,
        claims: async () => ({ sub: id, name: `${id} of Acme`, email: `${id}@acme.example`, groups: [`${id}-desk`] }),
      };
    },
  });
  handle = provider.callback();
  console.log(issuer);
});
process.stdin.resume().on('end', () => process.exit(0));
