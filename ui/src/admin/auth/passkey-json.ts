// WebAuthn options and credentials as JSON. Browsers convert them themselves only from Safari 18.4, Chrome 129 and
// Firefox 119 on, and iPhones have had passkeys since 16.

export function creationOptions(
  json: PublicKeyCredentialCreationOptionsJSON,
): PublicKeyCredentialCreationOptions {
  const { challenge, user, excludeCredentials = [], ...rest } = json
  return {
    ...rest,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials.map(descriptor),
  } as unknown as PublicKeyCredentialCreationOptions
}

export function requestOptions(
  json: PublicKeyCredentialRequestOptionsJSON,
): PublicKeyCredentialRequestOptions {
  const { challenge, allowCredentials = [], ...rest } = json
  return {
    ...rest,
    challenge: bytesOf(challenge),
    allowCredentials: allowCredentials.map(descriptor),
  } as unknown as PublicKeyCredentialRequestOptions
}

/** The JSON of a created or asserted credential, as `toJSON` of the standard writes it. */
export function credentialJson(credential: PublicKeyCredential): object {
  const { id, type, response, authenticatorAttachment } = credential
  const common = {
    id,
    rawId: id,
    type,
    authenticatorAttachment: authenticatorAttachment ?? undefined,
    clientExtensionResults: credential.getClientExtensionResults(),
  }
  const clientDataJSON = textOf(response.clientDataJSON)
  if ('attestationObject' in response) {
    const { attestationObject, getTransports } = response as AuthenticatorAttestationResponse
    const transports = getTransports?.call(response) ?? []
    return {
      ...common,
      response: { clientDataJSON, attestationObject: textOf(attestationObject), transports },
    }
  }
  const { authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse
  return {
    ...common,
    response: {
      clientDataJSON,
      authenticatorData: textOf(authenticatorData),
      signature: textOf(signature),
      userHandle: userHandle === null ? undefined : textOf(userHandle),
    },
  }
}

function descriptor({ id, ...rest }: PublicKeyCredentialDescriptorJSON) {
  return { ...rest, id: bytesOf(id) }
}

/** Decodes base64url. */
function bytesOf(text: string): Uint8Array {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(bytes, (letter) => letter.charCodeAt(0))
}

/** Encodes as base64url without padding. */
function textOf(buffer: ArrayBuffer): string {
  const letters = String.fromCharCode(...new Uint8Array(buffer))
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
