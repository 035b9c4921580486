/** What each side believed about the other's hidden pieces; how a game shows it is in its course. */

/** The last belief at a place: before the opponent's move or, just after it, still the same. */
export const lastBelief = (all, place) => all.find(({ ply }) => ply === place) ?? all.find(({ ply }) => ply === place - 1) ?? null;

/** Seats whose secrets these eyes see. */
export const seatsOf = ({ seat, open }) => (open ? [seat, 1 - seat] : [seat]);

/** Whether anything was believed in this game. */
export const anyBeliefs = (seats) => seats.some((seat) => seat.beliefs?.length || seat.knowledge?.length);
