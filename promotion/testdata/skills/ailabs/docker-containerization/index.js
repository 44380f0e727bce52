export default async function docker_containerization(input) {
  console.log("🧠 Running skill: docker-containerization");
  
  // TODO: implement actual logic for this skill
  return {
    message: "Skill 'docker-containerization' executed successfully!",
    input
  };
}
