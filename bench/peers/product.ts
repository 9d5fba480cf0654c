import { readFileSync } from 'node:fs'
import type { PeerFlag, User } from './flags.ts'

/** Decides a flag for one user. */
export type Decide = (flag: string) => boolean | Promise<boolean>

/** Begins with one user, as an application does with each request. */
export type Begin = () => Decide | Promise<Decide>

/** Describes the client of a product that decides in the process of an application. */
export interface Product {
  readonly name: string
  /** Names the package of npm. */
  readonly sdk: string
  /** Says how it is fed, and what was switched off. */
  readonly setup: string
  /** Returns the flags as the product's own server sends them to its client. */
  readonly encode: (flags: readonly PeerFlag[]) => string
  /** Opens the client with that text. The result turns a user into what the client takes, once. */
  readonly open: (text: string) => Promise<(user: User) => Begin>
}

/** Loads a package of `bench/peers/node_modules`, which is absent until `npm run bench -- peers` has installed it. */
export async function loadSdk<Sdk>(name: string): Promise<Sdk> {
  return await import(name)
}

const read = (path: string): { dependencies?: Record<string, string>; version?: string } =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))

/** Returns the version of a package that is measured. */
export function versionOf(name: string): string {
  const own = name.replace('@signalbox/', '')
  return own === name
    ? (read('package.json').dependencies?.[name] ?? '')
    : (read(`../../packages/${own}/package.json`).version ?? '')
}

/** Ignores what a client logs. */
export const silent = { error() {}, warn() {}, info() {}, debug() {} }

/** Answers as `fetch` does, which takes a client that is asked through it longer to load than the client itself. */
export function answerOf(text: string) {
  return {
    ok: true,
    status: 200,
    headers: { get: (name: string) => (name.toLowerCase() === 'etag' ? '"1"' : null) },
    body: undefined,
    json: () => Promise.resolve(JSON.parse(text)),
  }
}
