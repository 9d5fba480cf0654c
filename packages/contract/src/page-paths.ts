/**
 * First parts of the addresses of pages that belong to no organization. Those that do begin with its slug, which can
 * therefore be none of these.
 */
export const pagePaths = ['account', 'device', 'invitation', 'login', 'orgs', 'setup'] as const
