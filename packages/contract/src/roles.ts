/** Lists the roles of a member. Each role includes the permissions of those after it. */
export const roles = ['owner', 'admin', 'developer', 'viewer'] as const
export type Role = (typeof roles)[number]
