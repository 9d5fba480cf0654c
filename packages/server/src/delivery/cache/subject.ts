import type { Socket } from 'node:net'
import {
  addressSubject,
  wideNetwork,
  type ClientAddress,
} from '../../http/admission/client-address.ts'
import type { Asker } from '../../http/admission/fair-rate.ts'
import type { RequestMetadata } from '../http/answer.ts'
import type { Reader } from './reader.ts'

/** Names the buckets of the rate limits that a request counts against. Of an IPv6 address its network counts. */
export type Subject = Asker

/** Derives the subject of a request. */
export interface Subjects {
  readonly addressOf: (request: RequestMetadata) => string
  readonly subjectOf: (request: RequestMetadata, reader: Reader) => Subject
}

interface Known {
  readonly address: string
  readonly reader: Reader
  readonly subject: Subject
}

/** Creates a derivation that caches its results by connection. */
export function createSubjects(clientAddress: ClientAddress): Subjects {
  /** The reader of a connection rarely changes, so the strings are built once for each connection. */
  const addresses = new WeakMap<Socket, string>()
  const subjects = new WeakMap<Socket, Known>()
  const addressOf = ({ socket, headers }: RequestMetadata) => {
    const forwardedFor = headers['x-forwarded-for']
    const known = forwardedFor === undefined ? addresses.get(socket) : undefined
    if (known !== undefined) return known
    const address = clientAddress.of(socket.remoteAddress, toText(forwardedFor))
    if (forwardedFor === undefined) addresses.set(socket, address)
    return address
  }
  const subjectOf = (request: RequestMetadata, reader: Reader): Subject => {
    const address = addressOf(request)
    const known = subjects.get(request.socket)
    if (known?.reader === reader && known.address === address) return known.subject
    const credential = reader.type === 'person' ? reader.credentialId : reader.keyId
    const subject = {
      credential,
      credentialAtAddress: `${credential} ${addressSubject(address)}`,
      // A person may belong to many organizations, and counts for none of them.
      organization: reader.type === 'person' ? credential : reader.orgId,
      network: wideNetwork(address),
    }
    subjects.set(request.socket, { address, reader, subject })
    return subject
  }
  return { addressOf, subjectOf }
}

function toText(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header.join(',') : header
}
