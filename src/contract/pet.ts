/** The identifier of a pet in the path. */
export interface PetInput {
  /** Not empty. The interface document says nothing else about it. */
  readonly petId: string
}
