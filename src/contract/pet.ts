import * as z from 'zod/mini'

/** The identifier of a pet in the path. */
export interface PetInput {
  /** Not empty. The interface document says nothing else about it. */
  readonly petId: string
}

/** Checks the identifier of a pet before it goes into the path. */
export const petInputSchema: z.ZodMiniType<PetInput, PetInput> = z.object({
  petId: z.string('expected a string').check(z.minLength(1, 'expected a pet identifier')),
})
