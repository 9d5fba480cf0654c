/** Maps what a request may name in an organization to the kind of its id. */
export const targetKinds = {
  org: 'org',
  env: 'env',
  sch: 'sch',
  ver: 'ver',
  key: 'key',
  /** A personal access token of the organization's owner. */
  pat: 'key',
  /** An agent token of the owner. */
  agt: 'key',
  /** The token of a directory. */
  scm: 'key',
  /** An OpenID provider. */
  idp: 'idp',
  dep: 'dep',
  run: 'run',
  dsp: 'dsp',
  rte: 'rte',
  /** A message that waits for a person. */
  ntf: 'ntf',
  /** A member with the role `viewer`, who is nobody that signs in. */
  usr: 'usr',
  inv: 'inv',
  /** A group of members, which has no member. */
  grp: 'grp',
  gra: 'gra',
  /** A change request that waits. */
  chr: 'chr',
  /** A rollout plan that is paused. */
  pln: 'pln',
  rtp: 'rtp',
  /** A proof that goes on. */
  prf: 'prf',
  chk: 'chk',
  gat: 'gat',
  /** The decision of a gate that waits for people. */
  gdc: 'gdc',
  /** A rule of previews, which has made none. */
  prv: 'prv',
  dlv: 'dlv',
  whk: 'whk',
  /** A signal that receives alerts. */
  sig: 'sig',
  msg: 'msg',
  tgt: 'tgt',
  job: 'job',
  sync: 'syn',
  /** A sync of the tracker. */
  issueSync: 'syn',
  /** A name or an id, as that of a schema. */
  envName: 'env',
  schName: 'sch',
} as const

/** Names one of them. */
export type TargetKind = keyof typeof targetKinds

/** The ids of one of everything that an organization can have. Each is what a request may name. */
export interface Target extends Readonly<Record<TargetKind, string>> {
  readonly slug: string
  /** An e-mail domain that the organization has verified. */
  readonly domain: string
  readonly otherEnv: string
  readonly otherVer: string
  /** The `nextCursor` of each list that has one, by operation. */
  readonly cursors: Readonly<Record<string, string>>
}
