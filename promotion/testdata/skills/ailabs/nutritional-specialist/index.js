export default async function nutritional_specialist(input) {
  console.log("🧠 Running skill: nutritional-specialist");
  
  // TODO: implement actual logic for this skill
  return {
    message: "Skill 'nutritional-specialist' executed successfully!",
    input
  };
}
