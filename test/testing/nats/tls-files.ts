import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Holds the paths of a certificate for this machine, its key, and the authority that has signed it. */
export interface TlsFiles {
  readonly ca: string
  readonly certificate: string
  readonly key: string
}

const keyArgs = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Makes an authority and a certificate for localhost in a folder, valid for a day. */
export async function makeTlsFiles(openssl: string, folder: string): Promise<TlsFiles> {
  const at = (name: string) => join(folder, name)
  const make = async (name: string, ...args: string[]) => {
    const files = ['-keyout', at(`${name}.key`), '-out', at(`${name}.crt`)]
    await run(openssl, ['req', '-x509', '-days', '1', ...keyArgs, ...files, ...args])
  }
  await make('ca', '-subj', '/CN=authority')
  const signer = ['-CA', at('ca.crt'), '-CAkey', at('ca.key')]
  await make('tls', '-subj', '/CN=nats', '-addext', 'subjectAltName=DNS:localhost', ...signer)
  return { ca: at('ca.crt'), certificate: at('tls.crt'), key: at('tls.key') }
}
