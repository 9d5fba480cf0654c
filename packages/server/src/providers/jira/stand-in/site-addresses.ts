import type { JiraSite } from './state.ts'

/** Holds the addresses of a site: for people, and for programs behind the gateway. */
export interface SiteAddresses {
  /** Example: `http://127.0.0.1:4500/atlassian/sites/acme`. An issue's page is `/browse/ABC-1` below it. */
  readonly web: string
  /** Example: `http://127.0.0.1:4500/atlassian/api/ex/jira/<cloudId>/rest/api/3`. */
  readonly api: string
}

/** Returns the address of a site for people. Example: `http://127.0.0.1:4500/atlassian/sites/acme`. */
export function siteUrl(origin: string, { name }: JiraSite): string {
  return `${origin}/atlassian/sites/${name}`
}

/** Returns the pictures of a person or a project, by size. The sandbox has one picture. */
export function avatarUrls({ web }: SiteAddresses): Record<string, string> {
  const url = new URL('/atlassian/sites/avatar.svg', web).href
  return { '48x48': url, '24x24': url, '16x16': url, '32x32': url }
}
