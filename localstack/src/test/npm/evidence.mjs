// Judges the evidence of votes with a library that nobody here wrote, and a canonical form of its own.
// Reads {"origin", "evidence": [...]} from the file that is named; says of each whether it holds, or why not.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';

const asked = JSON.parse(readFileSync(process.argv[2], 'utf8'));

function canonical(value) {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(',')}]`;
  }
  return value !== null && typeof value === 'object'
    ? `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`
    : JSON.stringify(value);
}

async function judge({ statement, ...signed }) {
  const challenge = createHash('sha256').update(`approval.v1\n${canonical(statement)}`).digest('base64url');
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id: signed.credential_id,
        rawId: signed.credential_id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: signed.client_data,
          authenticatorData: signed.authenticator_data,
          signature: signed.signature,
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: asked.origin,
      expectedRPID: statement.rp,
      requireUserVerification: true,
      credential: {
        id: signed.credential_id,
        publicKey: Buffer.from(signed.public_key_cose, 'base64url'),
        counter: 0,
      },
    });
    return verified ? 'holds' : 'does not hold';
  } catch (error) {
    return error.message;
  }
}

console.log(JSON.stringify(await Promise.all(asked.evidence.map(judge))));
