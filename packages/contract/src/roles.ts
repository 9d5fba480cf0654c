/** Lists what a member of an organization can be. Each role may do what the ones after it may. */
export const roles = ['owner', 'admin', 'developer', 'viewer'] as const
export type Role = (typeof roles)[number]
