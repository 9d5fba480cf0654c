import type { Socket } from 'node:net'
import { addressSubject, type ClientAddress } from '../../http/admission/client-address.ts'
import type { RequestHead } from '../http/answer.ts'
import type { Reader } from './reader.ts'

/** Who asks from where, as limits count it. */
export interface Subject {
  readonly credential: string
  /** Credential and address (of IPv6 the network) together. */
  readonly place: string
}

/** Tells for whom a request counts. */
export interface Subjects {
  readonly addressOf: (request: RequestHead) => string
  readonly subjectOf: (request: RequestHead, reader: Reader) => Subject
}

interface Known {
  readonly address: string
  readonly reader: Reader
  readonly subject: Subject
}

export function createSubjects(clientAddress: ClientAddress): Subjects {
  /** A connection's reader rarely changes, so neither do the words its requests are counted under. */
  const addresses = new WeakMap<Socket, string>()
  const subjects = new WeakMap<Socket, Known>()
  const addressOf = ({ socket, headers }: RequestHead) => {
    const forwardedFor = headers['x-forwarded-for']
    const known = forwardedFor === undefined ? addresses.get(socket) : undefined
    if (known !== undefined) return known
    const address = clientAddress.of(socket.remoteAddress, toText(forwardedFor))
    if (forwardedFor === undefined) addresses.set(socket, address)
    return address
  }
  const subjectOf = (request: RequestHead, reader: Reader): Subject => {
    const address = addressOf(request)
    const known = subjects.get(request.socket)
    if (known?.reader === reader && known.address === address) return known.subject
    const credential = reader.type === 'person' ? reader.credentialId : reader.keyId
    const subject = { credential, place: `${credential} ${addressSubject(address)}` }
    subjects.set(request.socket, { address, reader, subject })
    return subject
  }
  return { addressOf, subjectOf }
}

function toText(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header.join(',') : header
}
