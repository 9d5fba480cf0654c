/**
 * Holds the part of Linear's schema that is pretended: names, arguments and nullability are Linear's. What is left out is refused as
 * unknown, so that a client that asks for more is noticed.
 *
 * @see https://github.com/linear/linear/blob/master/packages/sdk/src/schema.graphql
 */
export const linearSchema = `
scalar DateTime

enum PaginationOrderBy { createdAt updatedAt }

input StringComparator { containsIgnoreCase: String eq: String in: [String!] }
input NumberComparator { eq: Float in: [Float!] }
input TeamFilter { and: [TeamFilter!] key: StringComparator name: StringComparator or: [TeamFilter!] }
input IssueFilter { and: [IssueFilter!] number: NumberComparator or: [IssueFilter!] team: TeamFilter }

type PageInfo { endCursor: String hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String }
type Organization { id: ID! name: String! urlKey: String! }
type User { app: Boolean! displayName: String! id: ID! name: String! }
type Team { archivedAt: DateTime id: ID! key: String! name: String! }
type WorkflowState { id: ID! name: String! type: String! }
type Issue {
  archivedAt: DateTime
  assignee: User
  id: ID!
  identifier: String!
  number: Float!
  previousIdentifiers: [String!]!
  priorityLabel: String!
  state: WorkflowState!
  team: Team!
  title: String!
  trashed: Boolean
  url: String!
}
type IssueConnection { nodes: [Issue!]! pageInfo: PageInfo! }
type TeamConnection { nodes: [Team!]! pageInfo: PageInfo! }

type Query {
  issue(id: String!): Issue!
  issues(
    after: String, before: String, filter: IssueFilter, first: Int,
    includeArchived: Boolean, last: Int, orderBy: PaginationOrderBy
  ): IssueConnection!
  organization: Organization!
  teams(
    after: String, before: String, filter: TeamFilter, first: Int,
    includeArchived: Boolean, last: Int, orderBy: PaginationOrderBy
  ): TeamConnection!
  viewer: User!
}
`
