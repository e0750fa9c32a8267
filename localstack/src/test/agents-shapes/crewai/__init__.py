"""Of crewai, what the page uses, with its documented parameters."""
import wire


class Agent:
    def __init__(self, *, role, goal, backstory, mcps=()):
        self.mcps = mcps


class Task:
    def __init__(self, *, description, expected_output, agent):
        self.agent = agent


class Crew:
    def __init__(self, *, agents, tasks):
        self.agents = agents

    def kickoff(self):
        (server,) = self.agents[0].mcps
        return wire.refunded(server.url, server.headers)
